/*
 * A broadphase for tens to thousands of bodies: bounds are sorted along one axis and swept (D. Baraff,
 * "Dynamic simulation of non-penetrating rigid bodies", 1992).
 *
 * It replaces btDbvtBroadphase for three reasons. It is faster: updating trees for a dancer's bodies, which
 * all move in every step, takes a sixth of a step. Its pairs depend on the current bounds alone, not on the
 * past. And it allocates memory only while it grows, not when a world is rebuilt.
 */
#ifndef MMD_PHYSICS_BULLET_BROADPHASE_HPP
#define MMD_PHYSICS_BULLET_BROADPHASE_HPP

#include "bullet.hpp"

class sweep_broadphase final : public btBroadphaseInterface
{
  public:
    ~sweep_broadphase() override;

    btBroadphaseProxy *createProxy(const btVector3 &low, const btVector3 &high, int shape, void *object,
                                   int group, int mask, btDispatcher *dispatcher) override;
    void destroyProxy(btBroadphaseProxy *proxy, btDispatcher *dispatcher) override;
    void setAabb(btBroadphaseProxy *proxy, const btVector3 &low, const btVector3 &high,
                 btDispatcher *dispatcher) override;
    void getAabb(btBroadphaseProxy *proxy, btVector3 &low, btVector3 &high) const override;
    void rayTest(const btVector3 &from, const btVector3 &to, btBroadphaseRayCallback &callback,
                 const btVector3 &low, const btVector3 &high) override;
    void aabbTest(const btVector3 &low, const btVector3 &high, btBroadphaseAabbCallback &callback) override;
    void calculateOverlappingPairs(btDispatcher *dispatcher) override;
    btOverlappingPairCache *getOverlappingPairCache() override { return &pairs_; }
    const btOverlappingPairCache *getOverlappingPairCache() const override { return &pairs_; }
    void getBroadphaseAabb(btVector3 &low, btVector3 &high) const override;
    /* Removes all proxies and pairs. */
    void clear(btDispatcher *dispatcher);
    /* Restarts the numbering of proxies if there are none. */
    void resetPool(btDispatcher *dispatcher) override;
    void printStats() override {}

  private:
    /* A proxy and its bounds, stored together in the order of the sweep. */
    struct entry {
        btScalar low[3], high[3];
        btBroadphaseProxy *proxy;
    };
    struct before;

    void choose_axis();
    void refresh();
    void sort();
    void sweep();

    btHashedOverlappingPairCache pairs_;
    btAlignedObjectArray<entry> entries_;
    btAlignedObjectArray<btBroadphaseProxy *> free_; /* proxies that were created and are not in use */
    int next_number_ = 1;
    int axis_ = 0;
    bool changed_ =
        true; /* the axis must be chosen again: proxies came or went, or the sweep was inefficient */
};

#endif

/*
 * Bullet's world of rigid bodies, but for three things. Where all bodies are
 * awake it is solved as one: islands serve sleeping only, and finding and
 * sorting them takes time. What is led has its velocities from us, not from
 * where Bullet saw it last. And it can be emptied in one go.
 */
#ifndef MMD_PHYSICS_RIGID_WORLD_HPP
#define MMD_PHYSICS_RIGID_WORLD_HPP

#include "bullet_world.hpp"

class rigid_world final : public btDiscreteDynamicsWorld
{
  public:
    explicit rigid_world(bullet_world &world);

    /* Takes out all objects and constraints, in time that grows with their number alone. */
    void empty();

    void solveConstraints(btContactSolverInfo &info) override;
    void synchronizeMotionStates() override {}

  protected:
    void saveKinematicState(btScalar) override {}
    void calculateSimulationIslands() override;

  private:
    void list_manifolds();

    bullet_world &world_;
    btAlignedObjectArray<btPersistentManifold *> manifolds_;
};

#endif

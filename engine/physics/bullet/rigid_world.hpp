/*
 * Bullet's world of rigid bodies, but for two things. Where all bodies are
 * awake it is solved as one: islands serve sleeping only, and finding and
 * sorting them takes time. What is led has its velocities from us, not from
 * where Bullet saw it last.
 */
#ifndef MMD_PHYSICS_RIGID_WORLD_HPP
#define MMD_PHYSICS_RIGID_WORLD_HPP

#include "world.hpp"

class rigid_world final : public btDiscreteDynamicsWorld
{
  public:
    explicit rigid_world(bullet_world &world);

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

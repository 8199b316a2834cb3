/* See rigid_world.hpp. */
#include "rigid_world.hpp"

rigid_world::rigid_world(bullet_world &world)
    : btDiscreteDynamicsWorld(world.dispatcher, world.broadphase, world.solver, world.configuration),
      world_(world)
{
}

/* All that answers: not those of triggers, nor of two that are led. */
void rigid_world::list_manifolds()
{
    manifolds_.resizeNoInitialize(0);
    for (int m = 0; m < m_dispatcher1->getNumManifolds(); m++) {
        btPersistentManifold *manifold = m_dispatcher1->getManifoldByIndexInternal(m);
        if (manifold->getNumContacts() &&
            m_dispatcher1->needsResponse(manifold->getBody0(), manifold->getBody1()))
            manifolds_.push_back(manifold);
    }
}

template <typename item> static item *first(btAlignedObjectArray<item> &items)
{
    return items.size() ? &items[0] : nullptr;
}

void rigid_world::solveConstraints(btContactSolverInfo &info)
{
    if (!world_.sleepless) {
        btDiscreteDynamicsWorld::solveConstraints(info);
        return;
    }
    list_manifolds();
    m_constraintSolver->prepareSolve(m_collisionObjects.size(), manifolds_.size());
    m_constraintSolver->solveGroup(first(m_collisionObjects), m_collisionObjects.size(), first(manifolds_),
                                   manifolds_.size(), first(m_constraints), m_constraints.size(), info,
                                   nullptr, m_dispatcher1);
    m_constraintSolver->allSolved(info, nullptr);
}

void rigid_world::calculateSimulationIslands()
{
    if (!world_.sleepless)
        btDiscreteDynamicsWorld::calculateSimulationIslands();
}

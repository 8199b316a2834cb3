/* A damped spring over one step, for a solver of rows. Not a public header. */
#ifndef MMD_JOINT_SPRING_H
#define MMD_JOINT_SPRING_H

#ifdef __cplusplus
extern "C" {
#endif

/*
 * The impulse of a step is found by adding to it, again and again,
 * -position x - before v0 - velocity v - share impulse, until that is nothing:
 * x and v0 are the offset and its speed when the step begins, before gravity
 * and all other forces act; v is the speed as it is with them and with the
 * impulse so far.
 */
typedef struct joint_spring {
    float position, before, velocity, share;
} joint_spring;

/*
 * The spring of a stiffness and a damping (0 or more) over a step of dt
 * seconds, on something with an inverse mass (or inertia) above 0: exactly
 * the motion of the damped oscillator under a steady force wherever the step
 * resolves it, and stable where it does not; at rest under a force F it stands
 * at F / stiffness either way. Positions are integrated as x += dt v.
 */
joint_spring joint_spring_make(double stiffness, double damping, double inverse_mass, double dt);

#ifdef __cplusplus
}
#endif

#endif

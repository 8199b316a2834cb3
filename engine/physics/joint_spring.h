/* A damped spring over one step, for a solver of rows. Not a public header. */
#ifndef MMD_JOINT_SPRING_H
#define MMD_JOINT_SPRING_H

#ifdef __cplusplus
extern "C" {
#endif

/*
 * The impulse of a step is  -position x - velocity v - share impulse  until
 * that is nothing more to add (solve by adding it to the impulse again and
 * again, v being the velocity as it then is).
 */
typedef struct joint_spring {
    float position, velocity, share;
} joint_spring;

/*
 * The spring of a stiffness and a damping (0 or more) over a step of dt
 * seconds, on something with an inverse mass (or inertia) above 0: exactly
 * the motion of the damped oscillator wherever the step resolves it, and
 * stable where it does not. Positions are integrated as x += dt v.
 */
joint_spring joint_spring_make(double stiffness, double damping, double inverse_mass, double dt);

#ifdef __cplusplus
}
#endif

#endif

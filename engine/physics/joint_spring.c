/*
 * The exact damped oscillator under a steady force as a solver's row.
 *
 * x'' = -d x' - o x, with o = k / m and d = c / m, has at times n h the
 * solution of x(n+1) = (p + q) x(n) - p q x(n-1), where p and q are e to the
 * roots of r r + d r + o times h. With v(n) = (x(n) - x(n-1)) / h, which is
 * how x += h v integrates, that is
 *     v(n+1) = p q v(n) - (1 - p)(1 - q) x(n) / h.
 * All else that acts on the mass during the step, gravity and other joints
 * and contacts, is taken as a steady force of the impulse j: it moves the
 * place of rest by j / (h k), and so adds to v(n+1)
 *     (1 - p)(1 - q) / (o h h) j / m = R j / m.
 * Since j / m = v(n+1) - v(n) - l / m, where l is the spring's own impulse,
 *     (1 - R) v(n+1) + R l / m = (p q - R) v(n) - (1 - p)(1 - q) x(n) / h.
 * At rest that is l = -h k x whatever bears down, and without a stiffness the
 * final speed is j / (h c). 0 < p q <= R <= 1, so the row always yields.
 * A spring too stiff for the step (o h h > 1) is the implicit Euler step of
 * the same spring, which is stable for any stiffness and rests there too:
 *     v(n+1) + l / (h (h k + c)) = -k x / (h k + c).
 */
#include "joint_spring.h"

#include <math.h>

/* (e^z - 1) / z */
static double mean_of_exp(double z)
{
    return z == 0.0 ? 1.0 : expm1(z) / z;
}

/* R and p q. */
static void exact(double o, double d, double h, double *pass, double *keep)
{
    double half = d * 0.5, square = half * half - o;
    *keep = exp(-d * h);
    if (square >= 0.0) {
        double fast = -half - sqrt(square), slow = fast < 0.0 ? o / fast : 0.0;
        *pass = mean_of_exp(fast * h) * mean_of_exp(slow * h);
    } else {
        double turn = sqrt(-square) * h, size = exp(-half * h), sine = sin(turn * 0.5);
        double real = 2.0 * size * sine * sine - expm1(-half * h), imaginary = size * sin(turn);
        *pass = (real * real + imaginary * imaginary) / (o * h * h);
    }
}

joint_spring joint_spring_make(double k, double c, double inverse_mass, double h)
{
    double o = k * inverse_mass, pass, keep;
    if (o * h * h > 1.0) {
        double a = h * (h * k + c), diagonal = a * inverse_mass + 1.0;
        return (joint_spring){.position = (float)(h * k / diagonal),
                              .velocity = (float)(a / diagonal),
                              .share = (float)(1.0 / diagonal)};
    }
    exact(o, c * inverse_mass, h, &pass, &keep);
    return (joint_spring){.position = (float)(pass * h * k),
                          .before = (float)((pass - keep) / inverse_mass),
                          .velocity = (float)((1.0 - pass) / inverse_mass),
                          .share = (float)pass};
}

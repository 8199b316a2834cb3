#!/usr/bin/env python3
"""models.py FOLDER [CASE...]: writes the models and motions of the cases, and suite.json for `odori capture-kit`.

A case is a function below; its docstring is the question. Models of one suite's scene stand in MMD side by side;
a case with physics has a scene of its own, because bodies of one world change each other's rounding.
"""
import inspect
import json
import os
import sys

from writer import (AFTER_PHYSICS, APPEND_LOCAL, APPEND_MOVE, APPEND_ROTATION, BOX, CAPSULE, Model, turn)

LAST = 30  # the last frame of a motion
IN_A_SCENE = 8  # different models, at most
# In these, MMD takes a transform from the picture before; they move slowly, because its clock is not even.
FROM_THE_PICTURE_BEFORE = ("order_parent_later", "order_levels")
KNEE = ((-180, 0, 0), (-0.5, 0, 0))
ANY = ((-170, -170, -170), (170, 170, 170))


def leg(model, tag, x, limits=None, goals=((1, 2.5, -1.5), (-0.5, 1, -2)), hip=None, knee=None, loops=40, limit=2.0,
        parent=0):
    """Adds thigh, shin and ankle with IK; the goal moves between two places."""
    a = model.add("hip" + tag, (x, 11, 0), parent)
    b = model.add("knee" + tag, (x, 6.2, -0.35), a)
    c = model.add("ankle" + tag, (x, 1.4, 0.1), b)
    model.add_ik("goal" + tag, c, [(b,) + limits if limits else b, a], loops, limit)
    model.key("goal" + tag, 0, goals[0])
    model.key("goal" + tag, LAST, goals[1])
    for name, rotation in (("hip", hip), ("knee", knee)):
        if rotation:
            model.key(name + tag, 0, rotation=rotation)


def chain(model, tag, x, count=3, step=3, parent=0, level=0, y=12):
    """Adds bones that hang below each other and returns their indices."""
    bones = []
    for i in range(count):
        parent = model.add("%s%d" % (tag, i), (x, y - step * i, -0.1 * i), parent, level)
        bones.append(parent)
    return bones


def goal(model, name, bones, first=(1.5, 1, 1), last=(-1, 1.5, -1.5), links=None, **options):
    """Adds IK over a chain, whose last bone is the target; the goal moves."""
    model.add_ik(name, bones[-1], links or bones[-2::-1], **options)
    model.key(name, 0, first)
    model.key(name, LAST, last)


def single(model, tag, x, place, limits=None, key=None, loops=40, limit=2.0, axis=None, local=None):
    """Adds IK over one link. The goal moves from a hundredth aside to its place."""
    a = model.add("link" + tag, (x, 10, 0), axis=axis, local=local)
    b = model.add("end" + tag, (x, 7, 0), a)
    model.add_ik("goal" + tag, b, [(a,) + limits if limits else a], loops, limit)
    model.key("goal" + tag, 0, tuple(p + 0.01 for p in place))
    model.key("goal" + tag, LAST, place)
    if key:
        model.key("link" + tag, 0, rotation=key)


def ik_knee(m):
    """A knee that bends to one side about X, at rest, keyed, out of reach, and with few loops."""
    leg(m, "A", 0, KNEE)
    leg(m, "B", 4, KNEE, hip=turn((1, 0.3, -0.2), 20), knee=turn((-1, 0.1, 0.2), 35))
    leg(m, "C", 8, KNEE, goals=((1, -2, 0.5), (3, -1, -2)))
    leg(m, "D", 12, KNEE, loops=3, limit=0.3)
    leg(m, "E", 16, ((-180, 0, 0), (0, 0, 0)), goals=((0.2, 4, 2), (0, 6, 1)))
    group = m.add("group", (20, 12, 0))
    m.key("group", 0, (0.5, 0.2, -0.3), turn((1, 2, 3), 40))
    leg(m, "F", 20, KNEE, parent=group)


def arm(model, tag, x, y, axis, upper):
    """Adds shoulder, elbow and wrist along X with IK; the elbow turns about Y (axis 1) or Z (axis 2) down to -180."""
    def about(angle):
        return tuple(angle if k == axis else 0 for k in range(3))

    def to(ahead, aside):
        return (ahead, 0, aside) if axis == 1 else (ahead, -aside, 0)

    places = [(x, y, 0)] + [tuple(a + b for a, b in zip((x, y, 0), to(*step))) for step in ((4.8, 0.3), (9.6, 0))]
    a = model.add("shoulder" + tag, places[0])
    b = model.add("elbow" + tag, places[1], a)
    model.add_ik("goal" + tag, model.add("wrist" + tag, places[2], b), [(b, about(-180), about(upper)), a])
    model.key("goal" + tag, 0, to(-2.8, 1.1))
    model.key("goal" + tag, LAST, to(-0.5, -0.5))
    model.key("shoulder" + tag, 0, rotation=turn(about(1), 30))
    model.key("elbow" + tag, 0, rotation=turn(about(1), -60))


def ik_upper_limits(m):
    """Knees and elbows whose upper limit is half a degree below, at and above 0, about X, Y and Z, keyed and bent."""
    for i, upper in enumerate((-0.5, 0, 0.5)):
        leg(m, "X%d" % i, 4 * i, ((-180, 0, 0), (upper, 0, 0)), goals=((0.9, 2.78, -1.11), (0, 0.5, -0.5)),
            hip=turn((1, 0, 0), 50), knee=turn((1, 0, 0), -60))
        for axis in (1, 2):
            arm(m, "%s%d" % ("XYZ"[axis], i), 20 + 15 * i, 10 * axis, axis, upper)


def ik_free(m):
    """Links without limits, at rest and keyed, in reach and out of reach."""
    leg(m, "A", 0)
    leg(m, "B", 4, hip=turn((1, 0.3, -0.2), 20), knee=turn((-1, 0.1, 0.2), 35))
    leg(m, "C", 8, goals=((1, -2, 0.5), (3, -1, -2)))


def ik_limits_x_both_sides(m):
    """A hinge about X that bends to both sides."""
    leg(m, "A", 0, ((-80, 0, 0), (60, 0, 0)), limit=0.3)
    leg(m, "B", 4, ((-80, 0, 0), (60, 0, 0)), goals=((0, 2, 3), (0, 3, -3)))


def ik_limits_y(m):
    """A hinge about Y."""
    leg(m, "A", 0, ((0, -90, 0), (0, 90, 0)))
    leg(m, "B", 4, ((0, -10, 0), (0, 120, 0)), knee=turn((-1, 0.1, 0.2), 35))


def ik_limits_z(m):
    """A hinge about Z."""
    leg(m, "A", 0, ((0, 0, -30), (0, 0, 120)))
    leg(m, "B", 4, ((0, 0, -120), (0, 0, 5)), hip=turn((0, 0, 1), 20))


def ik_limits_three(m):
    """Limits about all axes, and about two."""
    leg(m, "A", 0, ((-90, -20, -10), (10, 30, 40)), knee=turn((-1, 0.1, 0.2), 15))
    leg(m, "B", 4, ((-60, -60, -60), (60, 60, 60)))
    leg(m, "C", 8, ((0, -60, -60), (0, 60, 60)))
    leg(m, "D", 12, ((-100, 0, -20), (0, 0, 20)))


def ik_limits_zero(m):
    """Limits of 0 to 0 about all axes."""
    leg(m, "A", 0, ((0, 0, 0), (0, 0, 0)))
    leg(m, "B", 4, ((0, 0, 0), (0, 0, 0)), knee=turn((-1, 0.1, 0.2), 15))


def ik_euler_orders(m):
    """The order in which angles are taken depends on how wide the limits are."""
    wide = {"limit": 4}
    single(m, "yz", 0, (2, 3, 1), ((0, -115, -115), (0, 115, 115)), **wide)
    single(m, "xyz", 3, (2.9, 2.9, 0.2), ((-57, -57, -57), (57, 57, 57)), **wide)
    single(m, "x", 6, (2.9, 2.9, 0.2), ((-115, -57, -115), (115, 57, 115)), **wide)
    single(m, "xy", 9, (2.9, 2.9, 0.2), ((-115, -115, -57), (115, 115, 57)), **wide)
    single(m, "all", 12, (2, 3, 1), ANY, **wide)
    single(m, "z89", 15, (2.9998, 2.96, 0.02), ANY, **wide)
    single(m, "z91", 18, (2.99, 3.06, 0.02), ANY, **wide)
    single(m, "x90", 21, (0.02, 3, 2.99), ((-90, -170, -170), (90, 170, 170)), **wide)
    single(m, "y90", 24, (0.02, 3, -2.99), ((-170, -90, -170), (170, 90, 170)), key=turn((0, 1, 0), 89.5), **wide)


def ik_step_limits(m):
    """Limits of a step from tiny to more than a turn, 0 and negative."""
    for i, limit in enumerate((0.01, 0.033, 0.1, 0.3, 0.5, 1, 2, 3.14, 4, 6.3, 12.6, 0, -0.1)):
        single(m, str(i), 3 * i, (2.9, 2.5, 1.3), ((0, 0, -170), (0, 0, 170)), loops=1, limit=limit)
        single(m, "f%d" % i, 3 * i, (2.9, 2.5, 1.3), loops=1, limit=limit)


def ik_loops(m):
    """Few loops with small steps: how many passes there are, and the step's limit of each link."""
    for i, loops in enumerate((1, 2, 4, 8)):
        leg(m, "k%d" % i, 3 * i, KNEE, loops=loops, limit=0.02)
        leg(m, "f%d" % i, 20 + 3 * i, loops=loops, limit=0.02)
        leg(m, "y%d" % i, 40 + 3 * i, ((0, -170, 0), (0, 170, 0)), loops=loops, limit=0.02)


def ik_long_chains(m):
    """One to six links without limits, with small steps."""
    for count in range(1, 7):
        bones = chain(m, "n%d_" % count, 5 * count, count + 1, 2, y=20)
        goal(m, "goal%d" % count, bones, (2, 3, -2), (3, 2, 1), loops=3, limit=0.05)


def ik_degenerate(m):
    """Goals at the link, opposite, in the same direction, at the effector, and beside a hinge's plane."""
    for i, place in enumerate(((0, 6, 0), (0, 3, 0), (0, -1, 0), (0, 0, 0), (1e-4, 1e-4, 0))):
        tag = "abcde"[i]
        a = m.add("link" + tag, (3 * i, 10, 0))
        b = m.add("end" + tag, (3 * i, 7, 0), a)
        m.add_ik("goal" + tag, b, [a], 40, 2.0)
        m.key("goal" + tag, 0, place)
    single(m, "side", 15, (3, 3, 0), ((-170, 0, 0), (170, 0, 0)))
    single(m, "narrow", 18, (0, 1.9, 2.2), ((-28, 0, 0), (17, 0, 0)))
    single(m, "swapped", 21, (1, 2.9, 0.2), ((57, 0, 0), (-57, 0, 0)))
    single(m, "none", 24, (1, 1.9, -2.2), loops=0)


def ik_fixed_axis(m):
    """Links with a fixed axis turn about it; limits on such a link."""
    single(m, "a", 0, (2, 3, 1), axis=(0, 0, 1))
    single(m, "b", 3, (2, 3, 1), axis=(0.3, 0.2, 1))
    single(m, "c", 6, (1, 3, 2), ((-170, 0, 0), (0, 0, 0)), axis=(1, 0.2, 0))
    single(m, "d", 9, (2, 3, 1), axis=(0, 1, 0), key=turn((1, 0.5, 0.2), 30))
    single(m, "e", 12, (2, 3, 1), axis=(0.3, 0.2, -1))
    single(m, "f", 15, (2, 3, 1), axis=(0.3, 0.2, -1), limit=0.3)


def ik_local_axis_ignored(m):
    """Local axes of a link change nothing."""
    axes = ((0.8, 0.6, 0), (0, 0, 1))
    single(m, "a", 0, (1, 3, 2), ((-170, 0, 0), (0, 0, 0)), local=axes)
    single(m, "b", 3, (1, 3, 2), local=axes)
    single(m, "c", 6, (1, 3, 2), ((-57, -28, -12), (57, 28, 12)), local=axes)


def ik_toe(m):
    """IK of a toe on the ankle that another IK moves, with keyed bones and bones that append."""
    leg(m, "", 0, KNEE)
    knee, ankle = m.index("knee"), m.index("ankle")
    toe = m.add("toe", (0, 0.2, -1), ankle)
    m.key("ankle", 0, rotation=turn((1, 0.2, 0), 25))
    m.key("toe", 0, rotation=turn((0, 1, 0), 25))
    m.add_ik("toe goal", toe, [ankle], 3, 4.0, parent=m.index("goal"))
    m.key("toe goal", 0, (0.2, -0.2, 0.1))
    m.key("toe goal", LAST, (0.1, 0.3, -0.2))
    m.add("on ankle", (0, 1, 1), ankle)
    m.add("half knee", (1, 1, 1), 0, append=(knee, 0.5))
    m.add("level 2", (1, 1, 1), 0, level=2, append=(knee, -1.5))
    m.add("level 1", (1, 1, 1), 0, level=1, append=(ankle, 1.0))


def ik_chain_on_chain(m):
    """A chain that hangs on another chain's link, and a goal that does."""
    bones = chain(m, "a", 0)
    goal(m, "goal a", bones)
    hung = chain(m, "b", 2, parent=bones[2], y=9)
    goal(m, "goal b", hung, (1.2, 1.3, 1), (0, 1, -1))
    other = chain(m, "c", 4)
    goal(m, "goal c", other, (0.4, 0.6, 0.2), (0.3, 0.2, 0.9), parent=bones[1])


def ik_links_from_the_root(m):
    """Links listed from the root outward."""
    bones = chain(m, "a", 0, 4)
    goal(m, "goal", bones, links=bones[:3])


def ik_links_in_any_order(m):
    """Links that follow neither the order from the root nor the one to it."""
    for i, order in enumerate(((1, 2, 0), (0, 2, 1), (2, 0, 1))):
        bones = chain(m, "abc"[i], 4 * i, 4)
        goal(m, "goal %d" % i, bones, links=[bones[k] for k in order])


def ik_link_twice(m):
    """One link listed twice."""
    bones = chain(m, "a", 0)
    goal(m, "goal", bones, links=[bones[1], bones[0], bones[1]])


def ik_gap(m):
    """Links with bones between them that are not links, which are keyed."""
    bones = chain(m, "a", 0, 5, 2)
    goal(m, "goal", bones, links=[bones[3], bones[1]])
    m.key("a2", 0, (0.1, 0.2, 0), turn((1, 0, 0), 30))


def ik_links_on_a_later_level(m):
    """Links on a later level than the IK bone."""
    bones = chain(m, "a", 0, level=2)
    goal(m, "goal a", bones, level=0)
    m.key("a0", 0, rotation=turn((1, 0, 0), 30))


def ik_before_and_after_its_links(m):
    """An IK bone on its links' level, before them in the file, and after them."""
    first = len(m.bones)
    m.add("goal a", (0, 6, -0.2), ik=(first + 3, 40, 0.5, [(first + 2,), (first + 1,)]))
    bones = chain(m, "a", 0)
    m.key("goal a", 0, (1.5, 1, 1))
    m.key("goal a", LAST, (-1, 1.5, -1.5))
    m.key("a0", 0, rotation=turn((1, 0, 0), 30))
    m.add("child a", (0, 5, 0), bones[1])
    bones = chain(m, "b", 4)
    goal(m, "goal b", bones, level=0)
    m.add("child b", (4, 5, 0), bones[1])
    m.add("append b", (5, 5, 0), 0, append=(bones[1], 0.7))


def ik_off(m):
    """IK that keys switch off and on."""
    bones = chain(m, "a", 0)
    goal(m, "goal", bones)
    m.key("a0", 0, rotation=turn((1, 0, 0), 30))
    m.ik_keys += [(0, [("goal", 0)]), (10, [("goal", 1)]), (20, [("goal", 0)])]


def ik_after_physics(m):
    """IK and bones that are computed after physics, in a model without bodies."""
    bones = chain(m, "a", 0)
    goal(m, "goal", bones, flags=AFTER_PHYSICS)
    m.add("child after", (0, 5, 0), bones[1], flags=AFTER_PHYSICS)
    m.add("child", (0, 5, 0), bones[1])


def ik_moved_links(m):
    """Links and a target that keys move and turn."""
    bones = chain(m, "a", 0)
    goal(m, "goal", bones)
    for name, place in (("a0", (0.1, 0.2, -0.3)), ("a1", (0.5, 0.4, 0.3)), ("a2", (0.1, 0.2, -0.3))):
        m.key(name, 0, place, turn((1, 0, 1), 30))


def ik_append_on_links(m):
    """Links that append another bone's rotation, and keys on them."""
    source = m.add("source", (0, 12, 0))
    m.key("source", 0, rotation=turn((1, 2, 0), 50))
    a = m.add("a0", (0, 12, 0), 0, append=(source, 0.5))
    b = m.add("a1", (0, 9, 0), a, append=(source, -0.3))
    c = m.add("a2", (0, 6, 0.1), b)
    m.key("a1", 0, rotation=turn((0, 0, 1), 20))
    goal(m, "goal", [a, b, c])


def append_from_link(m):
    """Bones that append rotations of links: children, grandchildren, of one another, on other levels, local."""
    links = chain(m, "a", 0)
    goal(m, "goal", links, level=0)
    first = m.add("f0", (8, 5, 0), 0, append=(links[1], 1.0))
    second = m.add("f1", (8, 6, 0), first)
    m.add("f2", (8, 7, 0), second)
    m.add("f3", (9, 5, 0), 0, append=(first, 1.0))
    m.add("f4", (10, 5, 0), 0, level=1, append=(first, 1.0))
    m.add("f5", (11, 5, 0), links[1], append=(links[0], 0.5))
    child = m.add("k0", (13, 5, 0), links[1])
    m.add("k1", (13, 5, 0), 0, append=(child, 1.0, APPEND_ROTATION | APPEND_LOCAL))
    m.add("k2", (14, 5, 0), 0, append=(links[1], 1.0, APPEND_ROTATION | APPEND_LOCAL))
    m.add("k3", (15, 5, 0), 0, append=(links[1], 1.0, APPEND_ROTATION | APPEND_MOVE))
    m.add("k4", (16, 5, 0), 0, append=(child, 1.0, APPEND_ROTATION | APPEND_MOVE | APPEND_LOCAL))


def append_ratios(m):
    """Rotations and movements appended by halves, twice, backwards, in chains, and of the local kind."""
    source = m.add("source", (0, 5, 0))
    m.key("source", 0, (1, 2, 3), turn((1, 2, 3), 50))
    m.key("source", LAST, (-1, 0.5, 2), turn((-1, 2, 0.5), 100))
    both = APPEND_ROTATION | APPEND_MOVE
    last = source
    for i, (ratio, flags) in enumerate(((0.5, APPEND_ROTATION), (1.0, both), (-0.7, both), (2.0, APPEND_MOVE),
                                        (1.6, APPEND_ROTATION), (0.0, both), (1.0, both | APPEND_LOCAL))):
        m.add("a%d" % i, (2 + 2 * i, 5, 0), 0, append=(source, ratio, flags))
        m.add("c%d" % i, (2 + 2 * i, 7, 0), m.index("a%d" % i))
        last = m.add("r%d" % i, (2 + 2 * i, 9, 0), 0, append=(last, ratio or 0.4, flags))
    m.key("a0", 0, rotation=turn((0, 1, 0), 30))


def append_wide_turns(m):
    """Appended rotations and bone morphs of tiny turns, of more than 120 degrees, and of half a turn and more."""
    for i, (degrees, ratio) in enumerate(((0.01, 1.0), (0.05, 2.0), (100, 0.5), (130, 0.5), (150, -0.7), (170, 0.5),
                                          (181, 0.5), (200, 1.6), (250, 0.3), (300, 0.5))):
        rotation = turn((-1, -0.2 * i, 0.5), degrees)
        source = m.add("s%d" % i, (4 * i, 5, 0))
        m.key("s%d" % i, 0, rotation=rotation)
        m.add("a%d" % i, (4 * i, 6, 0), 0, append=(source, ratio))
        bone = m.add("m%d" % i, (4 * i, 7, 0))
        m.morphs.append(("morph%d" % i, [(bone, (0, 0, 0), tuple(v * 1.2 for v in rotation) if i == 3 else rotation)]))
        m.morph_keys.append((0, "morph%d" % i, abs(ratio) if ratio < 1 else 1.0))


def order_parent_later(m):
    """A parent that comes later in the file, and a source of append that does."""
    def move(name, place, rotation):
        m.key(name, 0)
        m.key(name, LAST, place, rotation)

    first = len(m.bones)
    m.add("child", (0, 5, 0), first + 1)
    m.add("parent", (0, 3, 0), 0)
    m.add("grandchild", (0, 6, 0), first)
    move("parent", (0.6, 1.2, 0), turn((0, 0, 1), 18))
    first = len(m.bones)
    m.add("appends", (8, 5, 0), 0, append=(first + 1, 1.0))
    m.add("source", (8, 3, 0), 0)
    move("source", (0, 0, 0), turn((0, 0, 1), 18))


def order_levels(m):
    """A parent, and a source of append, on a higher level."""
    parent = m.add("parent", (4, 3, 0), 0, level=2)
    m.add("child", (4, 5, 0), parent)
    m.add("child 1", (4, 5, 0), parent, level=1)
    source = m.add("source", (10, 3, 0), 0, level=2)
    appends = m.add("appends", (10, 5, 0), 0, append=(source, 1.0))
    m.add("on it", (10, 6, 0), appends)
    for name, place in (("parent", (0.6, 1.2, 0)), ("source", (0, 0, 0))):
        m.key(name, 0)
        m.key(name, LAST, place, turn((0, 0, 1), 18))


def order_around_ik(m):
    """Children of links, of targets and of IK bones on several levels, and bones that append them."""
    for tag, x, level in (("A", 0, 0), ("B", 4, 1), ("C", 8, 2)):
        bones = chain(m, tag, x)
        goal(m, tag + "i", bones, level=level)
        m.key(tag + "2", 0, rotation=turn((1, 0.2, 0), 25))
        for n in range(4):
            m.add("%st%d" % (tag, n), (x + 0.2, 5, 0), bones[2], level=n)
            m.add("%sl%d" % (tag, n), (x + 0.3, 5, 0), bones[1], level=n)
            m.add("%sg%d" % (tag, n), (x + 0.4, 5, 0), m.index(tag + "i"), level=n)
        m.add(tag + "at", (x + 0.5, 5, 0), 0, append=(bones[2], 1.0))
        m.add(tag + "an", (x + 0.6, 5, 0), bones[1], append=(bones[2], 1.0))
        m.add(tag + "u", (x + 0.7, 4, 0), m.index(tag + "l0"))
        m.add(tag + "q", (x + 0.8, 4, 0), 0, append=(m.index(tag + "l0"), 0.7))


def slerp_edges(m):
    """Rotations between keys that are almost equal, of opposite sign, and half a turn apart."""
    for name, first, last in (("a", turn((1, 0, 0), 0), turn((1, 0, 0), 0.01)),
                              ("b", turn((1, 0, 0), 100), tuple(-v for v in turn((1, 0, 0), 130))),
                              ("c", turn((1, 0, 0), 0), turn((0, 1, 0), 180)),
                              ("d", turn((1, 0.2, 0.3), 30), turn((1, 0.2001, 0.3), 30.01)),
                              ("e", turn((1, 0.2, 0.3), 30), turn((-1, -0.2, -0.3), 330))):
        m.add(name, (2 * len(m.bones), 5, 0))
        m.key(name, 0, rotation=first)
        m.key(name, LAST, rotation=last)


def curves(m):
    """Curves between keys: straight, eased, early, late, with steps, and another one for each channel."""
    shapes = ((20, 20, 107, 107), (64, 0, 64, 127), (0, 64, 127, 64), (127, 0, 127, 0), (0, 127, 0, 127),
              (0, 0, 127, 127), (127, 0, 0, 127), (10, 90, 30, 120), (127, 127, 0, 0))
    for i, shape in enumerate(shapes):
        name = "a%d" % i
        m.add(name, (2 * i, 5, 0))
        m.key(name, 0, (1, -1, 0.5), turn((1, 0.5, 0), 10))
        m.key(name, 24, (3, 4, -5), turn((0.3, 1, 0.2), 140), (shape,) * 4)
    m.add("mixed", (-2, 5, 0))
    m.key("mixed", 0)
    m.key("mixed", 24, (3, 4, -5), turn((0.3, 1, 0.2), 140), shapes[1:5])
    m.key("mixed", LAST, (0, 1, 2), turn((1, 0, 0), 20), shapes[5:9])


def bone_morphs(m):
    """Two bone morphs with partial weights that turn and move one keyed bone."""
    a = m.add("a", (0, 5, 0))
    m.add("child", (0, 7, 0), a)
    b = m.add("b", (4, 5, 0))
    m.key("a", 0, (0.5, 0, 0), turn((0, 0, 1), 20))
    m.morphs += [("turn", [(a, (1, 2, 3), turn((1, 0, 0), 90)), (b, (0, 1, 0), turn((1, 2, 3), 120))]),
                 ("more", [(a, (0, -1, 0), turn((0, 1, 0), 60))])]
    m.morph_keys += [(0, "turn", 0.0), (LAST, "turn", 1.0), (0, "more", 0.8), (LAST, "more", 0.3)]


def group_morphs(m):
    """A group of two bone morphs, alone and beside its members."""
    bone_morphs(m)
    c = m.add("c", (8, 5, 0))
    m.morphs += [("one", [(c, (1, 0, 0), turn((1, 0, 0), 70))]), ("two", [(c, (0, 1, 0), turn((0, 1, 0), 50))]),
                 ("alone", [(2, 0.5), (3, 0.8)]), ("beside", [(0, 0.5), (1, 0.5)])]
    for name in ("alone", "beside"):
        m.morph_keys += [(0, name, 0.0), (LAST, name, 0.6)]


def group_orders(m):
    """Groups before, between and after their members, with members twice, beyond 1 and below 0, and groups in groups."""
    turns = {"A": ((1, 0, 0), turn((1, 0, 0), 70)), "B": ((0, 1, 0), turn((0, 1, 0), 50)),
             "C": ((0, 0, 1), turn((0, 0.3, 1), 90))}
    group = {"A": 0.5, "B": 0.8}
    for tag, order, weights, groups in (
            ("a", "GAB", {"G": 0.6, "A": 0.3, "B": 0.4}, {"G": group}),
            ("b", "ABG", {"G": 0.6, "A": 0.3, "B": 0.4}, {"G": {"B": 0.8, "A": 0.5}}),
            ("c", "AGB", {"G": 0.6, "A": 0.3, "B": 0.4}, {"G": group}),
            ("d", "ABHG", {"H": 0.7, "G": 0.4, "B": 0.3}, {"H": {"G": 0.5, "A": 1}, "G": group}),
            ("e", "ABGH", {"H": 0.7, "G": 0.4, "B": 0.3}, {"H": {"B": 1, "G": 0.5}, "G": group}),
            ("f", "ABG", {"G": 0.9}, {"G": {"A": 0.5, "B": 0.8, "A ": 0.5}}),
            ("g", "ABG", {"G": 0.9}, {"G": {"A": 2, "B": 1.5}}),
            ("h", "ABG", {"G": 0.9}, {"G": {"A": -1, "B": 0.8}}),
            ("i", "ABGC", {"G": 0.9, "C": 0.5, "B": 0.2}, {"G": group}),
            ("j", "HGAB", {"H": 0.7}, {"H": {"G": 0.5}, "G": group})):
        bone, first = m.add(tag, (2 * len(m.bones), 5, 0)), len(m.morphs)
        for name in order:
            parts = [(bone,) + turns[name]] if name in turns else [
                (first + order.index(member[0]), ratio) for member, ratio in groups[name].items()]
            m.morphs.append((tag + name, parts))
            m.morph_keys += [(0, tag + name, 0.0), (LAST, tag + name, weights.get(name, 0.0))]


def hanger(m, tag, x):
    bone = m.add("h" + tag, (x, 60, 0))
    return bone, m.body("h" + tag, bone, (x, 60, 0), size=(0.3, 0.3, 0.3), mode=0)


def pendulum(m, tag, x, offset=(2, -2, 1), joint=None, **body):
    parent, above = hanger(m, tag, x)
    place = (x + offset[0], 60 + offset[1], offset[2])
    below = m.body(tag, m.add(tag, place, parent), place, **body)
    m.joint(above, below, (x, 60, 0), **(joint or {}))


def rope(m, tag, x, modes, mass=(1, 1, 1, 1), limit=0.3, spring=20, damping=(0.9, 0.9)):
    """Adds capsules below each other, joined with limits and springs."""
    parent, above = hanger(m, tag, x)
    for i, mode in enumerate(modes):
        name = "%s_%d" % (tag, i)
        parent = m.add(name, (x, 60 - 1.5 * i, 0), parent)
        body = m.body(name, parent, (x, 59.25 - 1.5 * i, 0), CAPSULE, (0.3, 1, 0), mode=mode, mass=mass[i],
                      damping=damping)
        m.joint(above, body, (x, 60 - 1.5 * i, 0), angles=((-limit,) * 3, (limit,) * 3),
                springs=((0, 0, 0), (spring,) * 3))
        above = body


def tilt(m, *names):
    for name in names:
        m.key("h" + name, 0, (5, 3, 2), turn((0, 0, 1), 90))


SWING = {"angles": ((-1, -1, -1), (1, 1, 1))}


def physics_fall(m):
    """Free fall with several amounts of damping."""
    for i, damping in enumerate((0.1, 0.5, 0.9, 0.99, 1.0)):
        place = (10 + 10 * i, 4000, 0)
        m.body("b%d" % i, m.add("b%d" % i, place), place, damping=(damping, 0))


def physics_pendulum(m):
    """Pendulums: with room, damped, with springs, free about all axes, all locked, and hung from soft springs."""
    pendulum(m, "a", 10, joint=SWING)
    pendulum(m, "b", 40, joint=SWING, damping=(0.5, 0.5))
    pendulum(m, "c", 70, joint=dict(SWING, springs=((0, 0, 0), (100, 100, 100))))
    pendulum(m, "d", 100, joint={"angles": ((1, 1, 1), (-1, -1, -1))})
    pendulum(m, "e", 130, offset=(2, 0, 0))
    pendulum(m, "f", 160, offset=(0, -0.2, 0), damping=(0.7, 0.7),
             joint=dict(SWING, move=((-9, -9, -9), (9, 9, 9)), springs=((5, 5, 5), (1, 1, 1))))


def physics_limits(m):
    """Joints with limits and springs on axes that move and that turn, turned bodies and turned joints."""
    room = ((-2, -2, -2), (2, 2, 2))
    pendulum(m, "a", 10, offset=(1, -1, 0), joint={"move": room, "springs": ((50, 50, 50), (0, 0, 0))})
    pendulum(m, "b", 40, joint={"move": room, "angles": ((-0.3,) * 3, (0.3,) * 3)})
    pendulum(m, "c", 70, rotation=(0.3, 0.5, 0.2), shape=BOX, size=(0.5, 1, 0.3),
             joint={"rotation": (0.2, -0.4, 0.3), "angles": ((-0.5, 0, 0), (0.5, 0, 0))})
    pendulum(m, "d", 100, damping=(0.3, 0.3), joint={"angles": ((0.2,) * 3, (0.8,) * 3)})
    pendulum(m, "e", 130, offset=(0, -1, 0),
             joint=dict(SWING, move=((0, -3, -1), (1, 2, 0)), springs=((0, 20, 0), (0, 0, 5))))


def physics_ropes(m):
    """Ropes of capsules that start level, and one whose masses differ."""
    rope(m, "a", 10, (1, 1, 1), limit=0.6, damping=(0.5, 0.9))
    rope(m, "b", 40, (1, 1, 1, 1))
    rope(m, "c", 70, (1, 1, 1), mass=(10, 1, 0.1), limit=1, spring=0, damping=(0.1, 0.1))
    tilt(m, "a", "b")


def physics_mode2(m):
    """Bodies of mode 2, alone and with others of mode 1."""
    rope(m, "a", 10, (2, 2, 2), limit=0.6, damping=(0.5, 0.9))
    rope(m, "b", 40, (1, 2, 1, 2))
    pendulum(m, "c", 70, mode=2, joint=SWING)
    tilt(m, "a", "b")


def boneless(m, tag, x, mode):
    """Adds a body without a bone that hangs from one that its bone moves, and a body with a bone below it."""
    parent, above = hanger(m, tag, x)
    middle = m.body(tag + "_free", -1, (x + 1, 58, 0), mode=mode)
    m.joint(above, middle, (x, 60, 0), **SWING)
    end = m.body(tag, m.add(tag, (x + 2, 56, 0), parent), (x + 2, 56, 0))
    m.joint(middle, end, (x + 1, 58, 0), **SWING)


def physics_no_bone(m):
    """Bodies without a bone, of modes 1 and 2, in a model whose first bone is moved and turned."""
    boneless(m, "a", 10, 1)
    boneless(m, "b", 40, 2)
    m.key("センター", 0, (30, 3, 2), turn((0, 0, 1), 90))


def physics_without_bone(m):
    """Bodies without a bone, of each mode, each joined to one with a bone, while a key moves and turns bone 0."""
    m.key("センター", 0, (0.5, 0, -0.5), turn((0, 1, 0), 10))
    for mode in range(3):
        x, y = 10 + 10 * mode, 60
        free = m.body("free%d" % mode, -1, (x, y, 0), mode=mode)
        hung = m.body("hung%d" % mode, m.add("hung%d" % mode, (x + 2, y, 0)), (x + 2, y, 0))
        m.joint(free, hung, (x, y, 0), **SWING)


def drop(m, tag, place, **body):
    """Adds a bone and a body that collides with everything, if its mask does not say otherwise."""
    m.body(tag, m.add(tag, place), place, mask=body.pop("mask", 0xFFFF), **body)


def physics_contact(m):
    """Bodies that fall on the ground and on each other: shapes, friction, bounces, groups."""
    drop(m, "sphere", (10, 5, 0))
    drop(m, "bounces", (40, 5, 0), restitution=0.8)
    drop(m, "box", (70, 3, 0), shape=BOX, size=(0.5, 0.4, 0.7))
    drop(m, "through", (100, 3, 0), mask=0x7FFF)
    drop(m, "group", (130, 3, 0), group=15)
    drop(m, "slope", (160, 10, 0), mode=0, shape=BOX, size=(6, 1, 6), rotation=(0, 0, 0.4))
    drop(m, "slides", (160, 14, 0), shape=BOX, rotation=(0, 0, 0.4), friction=0.3)
    drop(m, "apart", (190, 10, 0), mode=0, size=(2, 2, 2), group=3, mask=0xFFFF & ~(1 << 4))
    drop(m, "passes", (190.3, 14, 0), group=4)
    drop(m, "ball", (220, 10, 0), mode=0, size=(2, 2, 2))
    drop(m, "rolls", (220.3, 14, 0.1))


def physics_contact_shapes(m):
    """A capsule and a ball that start inside of a box, and a ball that starts inside of a capsule."""
    drop(m, "slab", (10, 10, 0), mode=0, shape=BOX, size=(3, 1, 3), rotation=(0.2, 0, 0.3))
    drop(m, "rod", (10.4, 11.3, 0.2), shape=CAPSULE, size=(0.5, 1.5, 0), rotation=(0.4, 0, 1.2), friction=0)
    drop(m, "block", (40, 10, 0), mode=0, shape=BOX, size=(3, 1, 3), rotation=(0.2, 0, 0.3))
    drop(m, "marble", (40.4, 11.3, 0.2), friction=0)
    drop(m, "pole", (100, 10, 0), mode=0, shape=CAPSULE, size=(1, 4, 0), rotation=(0.1, 0, 1.4))
    drop(m, "pebble", (100.3, 11.3, 0.4), friction=0)


CASES = {name: function for name, function in list(globals().items()) if inspect.isfunction(function) and
         list(inspect.signature(function).parameters) == ["m"]}


def make(name):
    """Returns the model of a case. One with physics has a body that falls freely, which counts the steps."""
    model = Model()
    if name.startswith("physics_"):
        model.body("fall", model.add("fall", (-60, 4000, 0), -1), (-60, 4000, 0))
    CASES[name](model)
    if not model.keys:
        model.key("センター", 0)
    return model


def main(folder, names):
    names = names or list(CASES)
    os.makedirs(folder, exist_ok=True)
    for name in names:
        model = make(name)
        for kind, data in (("pmx", model.pmx()), ("vmd", model.vmd())):
            with open(os.path.join(folder, "%s.%s" % (name, kind)), "wb") as file:
                file.write(data)

    def scene(scene_name, models, physics):
        return {"name": scene_name, "model": ["%s.pmx" % name for name in models], "physics": physics,
                "own_motion": {str(i): "%s.vmd" % name for i, name in enumerate(models)}}

    physics = [name for name in names if name.startswith("physics_")]
    slow = [name for name in names if name in FROM_THE_PICTURE_BEFORE]
    others = [name for name in names if name not in physics + slow]
    scenes = [scene("bones%d" % i, others[i:i + IN_A_SCENE], False) for i in range(0, len(others), IN_A_SCENE)]
    scenes += [scene("slow", slow, False)] if slow else []
    scenes += [scene(name, [name], True) for name in physics]
    suite = {"defaults": {"size": [160, 120], "frames": "0:%d" % LAST,
                          "cameras": [{"name": "f", "target": [0, 10, 0], "distance": 45}]}, "scenes": scenes}
    with open(os.path.join(folder, "suite.json"), "w", encoding="utf-8") as file:
        json.dump(suite, file)


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    main(sys.argv[1], sys.argv[2:])

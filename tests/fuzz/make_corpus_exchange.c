/* Writes the corpora of fuzz_gltf, fuzz_glb, fuzz_ragdoll and fuzz_exchange: make_corpus_exchange FOLDER,
 * where gltf/, glb/, ragdoll/ and exchange/ exist. The first three get small documents of one feature each,
 * and exchange/ large ones of many. All glTFs use the beginning of the same buffer, as a data: URI or as the
 * GLB's chunk. */
#include "corpus_file.h"

enum { BUFFER_SIZE = 528, SMALL_SIZE = 132 };

/* ---------------------------------------------------------------- buffer */

/* Makes the buffer: positions, triangles and skin of a cube of eight points, then keyframes of an animation
 * and a morph. */
static mmd_buffer make_numbers(void)
{
    static const uint8_t triangles[36] = {0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4,
                                          2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5};
    static const float identity[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    static const float turns[12] = {0, 0, 0, 1, 0, 0.6F, 0, 0.8F, 0.6F, 0, 0, 0.8F};
    mmd_buffer out = {0};
    for (int i = 0; i < 8; i++)
        mmd_write_floats(&out, (float[3]){i & 1 ? 0.5F : -0.5F, i & 2 ? 1 : 0, i & 4 ? 0.5F : -0.5F}, 3);
    mmd_write_bytes(&out, triangles, sizeof triangles);
    for (uint8_t i = 0; i < 8; i++) /* joints, then weights, one byte each */
        mmd_write_bytes(&out, (uint8_t[4]){0, i / 2 % 2, 0, 0}, 4);
    for (int i = 0; i < 8; i++)
        mmd_write_bytes(&out, (uint8_t[4]){155, 100, 0, 0}, 4);
    mmd_write_floats(&out, identity, 16);
    mmd_write_floats(&out, identity, 16);
    mmd_write_floats(&out, (float[3]){0, 0.5F, 1}, 3);
    mmd_write_floats(&out, turns, 12);
    mmd_write_floats(&out, (float[9]){0, 0, 0, 0, 1, 0, 1, 1, 0}, 9);
    for (int i = 0; i < 8; i++)
        mmd_write_floats(&out, (float[3]){0, 0.1F * (float)i, 0}, 3);
    mmd_write_floats(&out, (float[3]){0, 1, 0.5F}, 3);
    return out;
}

/* ------------------------------------------------------------- documents */

/* Templates of JSON with ' instead of ", and @ with a letter for a piece: @B is the buffer, the others are
 * below. Each piece is short enough for a string literal of ISO C. */
typedef struct piece {
    char letter;
    const char *text;
} piece;

static const piece pieces[] = {
    {'A', "{'asset':{'version':'2.0','generator':'seed'},'scene':0,"},
    {'K', "'extensions':{'KHR_physics_rigid_bodies'"},
    {'O', "'extensions':{'OMI_physics_body'"},
    {'V', "{'buffer':0,'byteOffset':"},
    {'F', "'componentType':5126,"},
    {'G', "'meshes':[{'primitives':[{'attributes':{'POSITION':0},'indices':1}]}],"},
    {'D', "'bufferViews':[@V0,'byteLength':96},@V96,'byteLength':36},@V132,'byteLength':32},"
          "@V164,'byteLength':32},@V196,'byteLength':128},@V324,'byteLength':12},@V336,'byteLength':48},"
          "@V384,'byteLength':36},@V420,'byteLength':96},@V516,'byteLength':12}],'accessors':["
          "{'bufferView':0,'type':'VEC3',@F'count':8},"
          "{'bufferView':1,'type':'SCALAR','componentType':5121,'count':36},"
          "{'bufferView':2,'type':'VEC4','componentType':5121,'count':8},"
          "{'bufferView':3,'type':'VEC4','componentType':5121,'normalized':true,'count':8},"
          "{'bufferView':4,'type':'MAT4',@F'count':2},{'bufferView':5,'type':'SCALAR',@F'count':3},"
          "{'bufferView':6,'type':'VEC4',@F'count':3},{'bufferView':7,'type':'VEC3',@F'count':3},"
          "{'bufferView':8,'type':'VEC3',@F'count':8},{'bufferView':9,'type':'SCALAR',@F'count':3},"
          "{'type':'VEC3',@F'count':8,'sparse':{'count':2,"
          "'indices':{'bufferView':1,'componentType':5121},'values':{'bufferView':0}}}],'buffers':[@B]}"},
    {'E', "'bufferViews':[@V0,'byteLength':96},@V96,'byteLength':36}],'accessors':["
          "{'bufferView':0,'type':'VEC3',@F'count':8},"
          "{'bufferView':1,'type':'SCALAR','componentType':5121,'count':36}],'buffers':[@B]}"},
    {'S', "'shapes':[{'type':'sphere','sphere':{'radius':0.5}},{'type':'box','box':{'size':[1,2,3]}},"
          "{'type':'capsule','capsule':{'height':1,'radiusTop':0.2,'radiusBottom':0.3}},"
          "{'type':'cylinder','cylinder':{'height':1,'radius':0.5}},{'type':'plane','plane':{'sizeX':10}},"
          "{'type':'convex','convex':{'mesh':0}},{'type':'trimesh','trimesh':{'mesh':0}}]"},
    {'J', "'physicsJoints':[{'limits':[{'linearAxes':[0,1,2],'min':0,'max':0},"
          "{'angularAxes':[0],'min':-1,'max':1,'stiffness':50,'damping':2}],"
          "'drives':[{'type':'angular','mode':'force','axis':0,'maxForce':9,'positionTarget':1,"
          "'velocityTarget':2,'stiffness':10,'damping':1},"
          "{'type':'linear','mode':'acceleration','axis':1,'stiffness':10}]}]"},
    {'M', "'physicsMaterials':[{'staticFriction':0.5,'dynamicFriction':0.4,'restitution':0.9,"
          "'frictionCombine':'maximum','restitutionCombine':'multiply'}],"
          "'collisionFilters':[{'collisionSystems':['A'],'collideWithSystems':['A','B']},"
          "{'collisionSystems':['B'],'notCollideWithSystems':['A']}]"},
    {'T', "'OMI_physics_body':{'trigger':{'shape':0}}}"},
    {'I', "{'values':[1,0,0,0,0,1,0,0,0,0,1,0,"},
    {'R', "'NameComponent':{'members':{'value':'rRigid','path':'|a|rRigid','shortestPath':'a'}},"
          "'ColorComponent':{'members':{'value':{'values':[1,0.5,0,1]}}},"
          "'ScaleComponent':{'members':{'absolute':{'values':[1,1,1]}}},"
          "'RigidComponent':{'members':{'mass':2,'friction':0.8,'restitution':0.1,'collide':true,"
          "'linearDamping':0.5,'angularDamping':1,'angularMass':{'values':[1,1,1]},"
          "'centerOfMass':{'values':[0,1,0]},'sleepThreshold':0.1"},
    {'N', "@A'scenes':[{'nodes':[0]}],'animations':[{'channels':[{'sampler':0,'target':{'node':0,'path':"},
    {'P', "}}],'samplers':[{'input':0,'output':1}]}],'accessors':["},
    {'U', "'componentType':5125,"},
    {'W', "],'bufferViews':[@V0,'byteLength':132}],'buffers':[@B]}"},
    /* three times the largest float */
    {'H', "],'bufferViews':[@V0,'byteLength':12}],"
          "'buffers':[{'byteLength':12,'uri':'data:;base64,//9/f///f3///39/'}]}"},
    {'X', "@A'scenes':[{'nodes':[0]}],'nodes':[{'mesh':0,'scale':[9,9,9]}],'meshes':[{'primitives':["},
    {'Z',
     "@A'scenes':[{'nodes':[0]}],'extensionsUsed':['KHR_physics_rigid_bodies'],'nodes':[{@K:{'motion':{"},
    {'C', "}}}}],'extensions':{'KHR_physics_rigid_bodies':{},'KHR_collision_shapes':{'shapes':[{"},
    {'Q', "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
          "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
          "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
          "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"},
    {'Y', "'radius':2,'length':5,'extents':{'values':[4,4,4]},'offset':{'values':[0,1,0]},"
          "'rotation':{'values':[0,0,0,1]}}}"},
};

static const char scene_json[] =
    "@A'scenes':[{'nodes':[0,3],'name':'s'}],"
    "'nodes':[{'name':'a','children':[1],'translation':[0,1,0],'rotation':[0,0,0.6,0.8]},"
    "{'name':'b','children':[2],'scale':[1,2,-1]},{'mesh':0,'skin':0,'weights':[0.5]},"
    "{'mesh':1,'matrix':[1,0,0,0,0,1,0,0,0,0,1,0,2,0,0,1]}],"
    "'skins':[{'joints':[0,1],'inverseBindMatrices':4,'skeleton':0}],"
    "'meshes':[{'weights':[0],'extras':{'targetNames':['smile']},'primitives':[{'attributes':{"
    "'POSITION':0,'JOINTS_0':2,'WEIGHTS_0':3},'indices':1,'material':0,'targets':[{'POSITION':8}]}]},"
    "{'primitives':[{'attributes':{'POSITION':10,'NORMAL':8,'COLOR_0':3},'mode':5,'material':1},"
    "{'attributes':{'POSITION':0},'mode':2},{'attributes':{'POSITION':0},'mode':0}]}],"
    "'materials':[{'name':'m','doubleSided':true,'alphaMode':'BLEND','emissiveFactor':[0,0.5,0],"
    "'pbrMetallicRoughness':{'baseColorFactor':[1,0.5,0,0.5],"
    "'baseColorTexture':{'index':0,'texCoord':1}}},{'extensions':{'KHR_materials_unlit':{}}}],"
    "'textures':[{'source':0}],'images':[{'mimeType':'image/png','bufferView':5},"
    "{'uri':'data:image/png;base64,iVBORw0KGgo='},{'uri':'x%20y.png'}],"
    "'animations':[{'name':'n','channels':[{'sampler':0,'target':{'node':0,'path':'rotation'}},"
    "{'sampler':1,'target':{'node':1,'path':'translation'}},"
    "{'sampler':1,'target':{'node':1,'path':'scale'}},"
    "{'sampler':2,'target':{'node':2,'path':'weights'}}],"
    "'samplers':[{'input':5,'output':6,'interpolation':'LINEAR'},"
    "{'input':5,'output':7,'interpolation':'STEP'},{'input':5,'output':9}]}],@D";

static const char khr_seed_json[] =
    "@A'scenes':[{'nodes':[0,1,2,3,4,5]}],'extensionsUsed':['KHR_physics_rigid_bodies'],"
    "'nodes':[{'name':'floor',@K:{'collider':{'shape':4}}}},"
    "{'translation':[0,2,0],'children':[6],@K:{'motion':{'mass':2,'linearVelocity':[1,0,0],"
    "'angularVelocity':[0,1,0],'centerOfMass':[0,0.1,0],'inertiaDiagonal':[1,2,3],"
    "'inertiaOrientation':[0,0,0.6,0.8],'gravityFactor':0.5},"
    "'collider':{'shape':1,'physicsMaterial':0,'collisionFilter':0}}}},"
    "{'translation':[0,4,0],'scale':[1,2,1],"
    "@K:{'motion':{'isKinematic':true},'collider':{'shape':2,'collisionFilter':1}}}},"
    "{'translation':[3,1,0],@K:{'motion':{},'collider':{'shape':5},"
    "'joint':{'connectedNode':2,'joint':0,'enableCollision':true}}}},"
    "{'translation':[6,1,0],@K:{'collider':{'shape':6},'trigger':{'shape':0}}}},"
    "{'mesh':0,@K:{'motion':{},'collider':{'shape':3}}}},"
    "{'translation':[0,1,0],@K:{'collider':{'shape':0}}}}],"
    "'extensions':{'KHR_collision_shapes':{@S},'KHR_physics_rigid_bodies':{@M,@J}},@G@D";

static const char khr_current_json[] =
    "@A'scenes':[{'nodes':[0,1,2,3]}],'extensionsUsed':['KHR_implicit_shapes'],"
    "'nodes':[{@K:{'collider':{'geometry':{'node':3}}}}},"
    "{'translation':[0,3,0],@K:{'motion':{'mass':1},'collider':{'geometry':{'node':3,'convexHull':true},"
    "'physicsMaterial':0,'collisionFilter':0}}}},"
    "{'translation':[1,5,0],@K:{'motion':{'mass':0},'collider':{'geometry':{'shape':0}},"
    "'joint':{'connectedNode':1,'joint':0},'trigger':{'geometry':{'shape':1}}}}},{'mesh':0}],"
    "'extensions':{'KHR_implicit_shapes':{@S},'KHR_physics_rigid_bodies':{@M,@J}},@G@D";

static const char omi_seed_json[] =
    "@A'scenes':[{'nodes':[0,1,2,3,4,5,6]}],'extensionsUsed':['OMI_physics_body'],"
    "'nodes':[{@O:{'motion':{'type':'static'},'collider':{'shape':1}}}},"
    "{'translation':[0,3,0],@O:{'motion':{'type':'dynamic','mass':3,'inertiaDiagonal':[0,0,0]},"
    "'collider':{'shape':2}}}},"
    "{'translation':[0,4,0],@O:{'motion':{'type':'kinematic','angularVelocity':[0,1,0]},"
    "'collider':{'shape':5}}}},"
    "{'extensions':{'OMI_physics_joint':{'nodeA':1,'nodeB':2,'constraints':[0,1]}}},"
    "{'children':[7],@O:{'trigger':{'nodes':[7]}}}},"
    "{'extensions':{'OMI_physics_gravity':{'type':'point','gravity':9,'priority':2,'replace':true,"
    "'point':{'unitDistance':2}},@T},"
    "{'children':[8,9],'extensions':{'OMI_physics_gravity':{'type':'line','gravity':3,'stop':true,"
    "'line':{'points':[0,0,0,0,1,0]}},@T},{@O:{'trigger':{'shape':0}}}},"
    "{'extensions':{'OMI_physics_gravity':{'type':'torus','gravity':3,"
    "'torus':{'radius':2,'unitDistance':1}},@T},"
    "{'extensions':{'OMI_physics_gravity':{'type':'shaped','gravity':3,'shaped':{'shape':2}},@T}],"
    "'extensions':{'OMI_physics_shape':{@S},'OMI_physics_body':{@M},"
    "'OMI_physics_gravity':{'gravity':5,'direction':[0,-1,0]},"
    "'OMI_physics_joint':{'constraints':[{'linearAxes':[0,1,2]},{'angularAxes':[0,2],'lowerLimit':-1,"
    "'upperLimit':1,'stiffness':10,'damping':1}]}},@G@D";

static const char omi_newer_json[] =
    "@A'scenes':[{'nodes':[0,1]}],'nodes':[{'children':[2],@O:{'motion':{'type':'dynamic'},"
    "'collider':{}}}},{'translation':[0,2,0],@O:{'motion':{'type':'dynamic'},'collider':{'shape':3}},"
    "'OMI_physics_joint':{'connectedNode':0,'joint':0}}},{@O:{'collider':{'shape':0}}}}],"
    "'extensions':{'OMI_physics_shape':{@S},'OMI_physics_joint':{@J}},@G@D";

static const char ragdoll_json[] =
    "{'schema':'ragdoll-1.0','info':{'ragdollVersion':'2022.01.01'},'entities':{"
    "'1':{'components':{'SolverComponent':{'members':{'gravity':{'values':[0,-982,0]},'useGround':true,"
    "'groundFriction':0.5,'groundRestitution':0.1,'substeps':4,'positionIterations':8,'spaceMultiplier':1,"
    "'timeMultiplier':1}},'RestComponent':{'members':{'matrix':@I0,0,0,1]}}}}},"
    "'2':{'components':{@R,'kinematic':true}},'RestComponent':{'members':{'matrix':@I0,20,0,1]}}},"
    "'GeometryDescriptionComponent':{'members':{'type':'Capsule',@Y}},"
    "'3':{'components':{@R,'parentRigid':2,'enableCCD':true}},"
    "'RestComponent':{'members':{'matrix':@I0,10,0,1]}}},"
    "'GeometryDescriptionComponent':{'members':{'type':'Box',@Y}},"
    "'4':{'components':{@R,'disableGravity':true}},'RestComponent':{'members':{'matrix':@I9,10,0,1]}}},"
    "'ConvexMeshComponents':{'members':{'vertices':{'values':[0,0,0,4,0,0,0,4,0,0,0,4,4,4,4]}}},"
    "'GeometryDescriptionComponent':{'members':{'type':'ConvexHull',@Y}},"
    "'5':{'components':{@R}},'RestComponent':{'members':{'matrix':@I20,10,0,1]}}},"
    "'GeometryDescriptionComponent':{'members':{'type':'Plane',@Y}},"
    "'6':{'components':{'JointComponent':{'members':{'parent':2,'child':{'type':'Entity','value':3},"
    "'disableCollision':true,'parentFrame':@I0,-5,0,1]},'childFrame':@I0,5,0,1]}}},"
    "'LimitComponent':{'members':{'enabled':true,'x':-1,'y':-1,'z':2,'twist':0.5,'swing1':0.3,"
    "'swing2':0.6,'linearStiffness':1000,'linearDamping':10,'angularStiffness':1000,'angularDamping':10}},"
    "'DriveComponent':{'members':{'enabled':true,'acceleration':true,'linearStiffness':100,"
    "'linearDamping':1,'angularStiffness':100,'angularDamping':1,'target':@I0,-10,0,1]}}}}},"
    "'7':{'components':{'JointComponent':{'members':{'parent':0,'child':4,'parentFrame':@I9,10,0,1]},"
    "'childFrame':@I0,0,0,1]}}}}}}}";

/* The small documents. An accessor without a view is all zeros. */
static const char small_mesh_json[] =
    "@A'scenes':[{'nodes':[0]}],'nodes':[{'mesh':0,'translation':[0,1,0],'scale':[1,2,-1]}],"
    "'materials':[{'name':'m','doubleSided':true,'alphaMode':'BLEND','emissiveFactor':[0,0.5,0],"
    "'pbrMetallicRoughness':{'baseColorFactor':[1,0.5,0,0.5]}},{'extensions':{'KHR_materials_unlit':{}}}],"
    "'meshes':[{'primitives':[{'attributes':{'POSITION':0,'NORMAL':0},'indices':1,'material':0},"
    "{'attributes':{'POSITION':0},'mode':5,'material':1}]}],@E";

static const char small_skin_json[] =
    "@A'scenes':[{'nodes':[0,2]}],'nodes':[{'name':'a','children':[1]},{'matrix':[1,0,0,0,0,1,0,0,0,0,1,0,2,"
    "0,0,1]},"
    "{'mesh':0,'skin':0}],'skins':[{'joints':[0,1],'inverseBindMatrices':2,'skeleton':0}],"
    "'meshes':[{'primitives':[{'attributes':{'POSITION':0,'JOINTS_0':1,'WEIGHTS_0':1},'mode':6}]}],"
    "'accessors':[{'type':'VEC3',@F'count':4},{'type':'VEC4','componentType':5121,'count':4},"
    "{'type':'MAT4',@F'count':2}]}";

static const char small_morph_json[] =
    "@A'scenes':[{'nodes':[0]}],'nodes':[{'mesh':0,'weights':[0.5]}],'meshes':[{'weights':[0],"
    "'extras':{'targetNames':['smile']},'primitives':[{'attributes':{'POSITION':0},'indices':1,"
    "'targets':[{'POSITION':0}]}]}],@E";

static const char small_animation_json[] =
    "@A'scenes':[{'nodes':[0]}],'nodes':[{}],'animations':[{'name':'n','channels':["
    "{'sampler':0,'target':{'node':0,'path':'rotation'}},{'sampler':1,'target':{'node':0,'path':'translation'"
    "}},"
    "{'sampler':1,'target':{'node':0,'path':'scale'}}],'samplers':[{'input':0,'output':1},"
    "{'input':0,'output':2,'interpolation':'STEP'}]}],'accessors':[{'bufferView':0,'type':'SCALAR',@F'count':"
    "2},"
    "{'type':'VEC4',@F'count':2},{'type':'VEC3',@F'count':2}],"
    "'bufferViews':[@V52,'byteLength':8}],'buffers':[@B]}";

static const char small_weights_json[] =
    "@A'scenes':[{'nodes':[0]}],'nodes':[{'mesh':0,'scale':[1,2,3],'children':[1]},{}],"
    "'meshes':[{'primitives':[{'attributes':{'POSITION':2},'targets':[{'POSITION':2}]}]}],"
    "'animations':[{'channels':[{'sampler':0,'target':{'node':0,'path':'weights'}},"
    "{'sampler':1,'target':{'node':1,'path':'rotation'}},{'sampler':2,'target':{'node':0,'path':'scale'}}],"
    "'samplers':[{'input':0,'output':0},{'input':0,'output':1},{'input':0,'output':2,"
    "'interpolation':'CUBICSPLINE'}]}],'accessors':[{'bufferView':0,'type':'SCALAR',@F'count':2},"
    "{'bufferView':1,'type':'VEC4','componentType':5121,'normalized':true,'count':2},"
    "{'type':'VEC3',@F'count':6}],"
    "'bufferViews':[@V52,'byteLength':8},@V96,'byteLength':8}],'buffers':[@B]}";

static const char small_texture_json[] =
    "@A'scenes':[{'nodes':[0]}],'nodes':[{'mesh':0}],"
    "'meshes':[{'primitives':[{'attributes':{'POSITION':0,'TEXCOORD_0':1},'material':0}]}],"
    "'materials':[{'pbrMetallicRoughness':{'baseColorTexture':{'index':0,'texCoord':0}}},"
    "{'pbrMetallicRoughness':{'baseColorTexture':{'index':1}}}],'textures':[{'source':0},{'source':1}],"
    "'images':[{'mimeType':'image/png','bufferView':0},{'uri':'x%20y.png'}],"
    "'accessors':[{'type':'VEC3',@F'count':3},{'type':'VEC2',@F'count':3}],"
    "'bufferViews':[@V0,'byteLength':8}],'buffers':[@B]}";

static const char small_sparse_json[] =
    "@A'scenes':[{'nodes':[0]}],'nodes':[{'mesh':0}],"
    "'meshes':[{'primitives':[{'attributes':{'POSITION':0,'NORMAL':1}}]}],"
    "'accessors':[{'type':'VEC3',@F'count':3,'sparse':{'count':2,"
    "'indices':{'bufferView':1,'componentType':5121},'values':{'bufferView':0}}},"
    "{'type':'VEC3',@F'count':3,'sparse':{'count':1,"
    "'indices':{'bufferView':0,'componentType':5123},'values':{'bufferView':0}}}],"
    "'bufferViews':[@V0,'byteLength':24},@V97,'byteLength':2}],'buffers':[@B]}";

static const char small_sets_json[] =
    "@A'scenes':[{'nodes':[0,2]}],'nodes':[{'children':[1]},{},{'mesh':0,'skin':0}],'skins':[{'joints':[0,1]}"
    "],"
    "'meshes':[{'primitives':[{'attributes':{'POSITION':0,'JOINTS_0':1,'WEIGHTS_0':2,'JOINTS_1':1,'WEIGHTS_1'"
    ":2},"
    "'indices':3}]}],'accessors':[{'type':'VEC3',@F'count':3},{'type':'VEC4','componentType':5123,'count':3},"
    "{'bufferView':0,'type':'VEC4','componentType':5123,'normalized':true,'count':3},"
    "{'type':'SCALAR','componentType':5125,'count':3}],'bufferViews':[@V98,'byteLength':24}],'buffers':[@B]}";

/* b.bin is a file that the targets give. */
static const char small_file_json[] =
    "@A'scenes':[{'nodes':[0]}],'nodes':[{'mesh':0}],'extensionsRequired':['KHR_materials_unlit'],"
    "'meshes':[{'primitives':[{'attributes':{'POSITION':0}}]}],'accessors':[{'bufferView':0,'type':'VEC3',@F'"
    "count':3}],"
    "'bufferViews':[@V0,'byteLength':36}],'buffers':[{'byteLength':36,'uri':'./b.bin'}]}";

static const char small_khr_motion_json[] =
    "@A'scenes':[{'nodes':[0,1]}],'extensionsUsed':['KHR_physics_rigid_bodies'],"
    "'nodes':[{@K:{'collider':{'shape':1}}}},{'translation':[0,2,0],@K:{'motion':{'mass':2,"
    "'linearVelocity':[1,0,0],'angularVelocity':[0,1,0],'centerOfMass':[0,0.1,0],'inertiaDiagonal':[1,2,3],"
    "'inertiaOrientation':[0,0,0.6,0.8],'gravityFactor':0.5},"
    "'collider':{'shape':0,'physicsMaterial':0,'collisionFilter':0}}}}],"
    "'extensions':{'KHR_collision_shapes':{'shapes':[{'type':'sphere','sphere':{'radius':0.5}},"
    "{'type':'box','box':{'size':[1,2,3]}}]},'KHR_physics_rigid_bodies':{@M}}}";

static const char small_khr_joint_json[] =
    "@A'scenes':[{'nodes':[0,1]}],'extensionsUsed':['KHR_implicit_shapes'],"
    "'nodes':[{@K:{'motion':{'isKinematic':true},'collider':{'geometry':{'shape':0}}}}},"
    "{'translation':[0,3,0],@K:{'motion':{'mass':1},'collider':{'geometry':{'shape':0}},"
    "'trigger':{'geometry':{'shape':0}},'joint':{'connectedNode':0,'joint':0,'enableCollision':true}}}}],"
    "'extensions':{'KHR_implicit_shapes':{'shapes':[{'type':'capsule','capsule':{'height':1,'radiusTop':0.2,"
    "'radiusBottom':0.3}}]},'KHR_physics_rigid_bodies':{@J}}}";

static const char small_khr_mesh_json[] =
    "@A'scenes':[{'nodes':[0,1]}],'extensionsUsed':['KHR_implicit_shapes'],"
    "'nodes':[{@K:{'collider':{'geometry':{'node':2}}}}},{@K:{'motion':{'mass':1},"
    "'collider':{'geometry':{'node':2,'convexHull':true}}}}},{'mesh':0}],"
    "'extensions':{'KHR_implicit_shapes':{},'KHR_physics_rigid_bodies':{}},@G@E";

static const char small_khr_shapes_json[] =
    "@A'scenes':[{'nodes':[0,1,2,3,4]}],'extensionsUsed':['KHR_physics_rigid_bodies'],"
    "'nodes':[{@K:{'collider':{'shape':2}}}},{@K:{'collider':{'shape':3}}}},{@K:{'collider':{'shape':4}}}},"
    "{@K:{'collider':{'shape':5}}}},{@K:{'trigger':{'shape':6}}}}],"
    "'extensions':{'KHR_collision_shapes':{@S},'KHR_physics_rigid_bodies':{}},@G@E";

static const char small_omi_joint_json[] =
    "@A'scenes':[{'nodes':[0,1,2]}],'extensionsUsed':['OMI_physics_body'],"
    "'nodes':[{@O:{'motion':{'type':'static'},'collider':{'shape':0}}}},"
    "{'translation':[0,3,0],@O:{'motion':{'type':'dynamic','mass':3,'inertiaDiagonal':[0,0,0]},"
    "'collider':{'shape':0}}}},"
    "{'extensions':{'OMI_physics_joint':{'nodeA':0,'nodeB':1,'constraints':[0,1]}}}],"
    "'extensions':{'OMI_physics_shape':{'shapes':[{'type':'box','box':{'size':[1,2,3]}}]},"
    "'OMI_physics_body':{@M},'OMI_physics_joint':{'constraints':[{'linearAxes':[0,1,2]},"
    "{'angularAxes':[0,2],'lowerLimit':-1,'upperLimit':1,'stiffness':10,'damping':1}]}}}";

static const char small_omi_newer_json[] =
    "@A'scenes':[{'nodes':[0,1]}],'nodes':[{@O:{'motion':{'type':'dynamic'},'collider':{'shape':0}}}},"
    "{'translation':[0,2,0],@O:{'motion':{'type':'kinematic','angularVelocity':[0,1,0]},"
    "'collider':{'shape':0}},'OMI_physics_joint':{'connectedNode':0,'joint':0}}}],"
    "'extensions':{'OMI_physics_shape':{'shapes':[{'type':'cylinder','cylinder':{'height':1,'radius':0.5}}]},"
    "'OMI_physics_joint':{@J}}}";

static const char small_omi_gravity_json[] =
    "@A'scenes':[{'nodes':[0,1,3,4]}],'extensionsUsed':['OMI_physics_gravity'],"
    "'nodes':[{'extensions':{'OMI_physics_gravity':{'type':'point','gravity':9,'priority':2,'replace':true,"
    "'point':{'unitDistance':2}},@T},"
    "{'children':[2],'extensions':{'OMI_physics_gravity':{'type':'line','gravity':3,'stop':true,"
    "'line':{'points':[0,0,0,0,1,0]}},'OMI_physics_body':{'trigger':{'nodes':[2]}}}},{@O:{'trigger':{'shape':"
    "0}}}},"
    "{'extensions':{'OMI_physics_gravity':{'type':'torus','gravity':3,'torus':{'radius':2,'unitDistance':1}},"
    "@T},"
    "{'extensions':{'OMI_physics_gravity':{'type':'shaped','gravity':3,'shaped':{'shape':0}},@T}],"
    "'extensions':{'OMI_physics_shape':{'shapes':[{'type':'sphere','sphere':{'radius':0.5}}]},"
    "'OMI_physics_gravity':{'gravity':5,'direction':[0,-1,0]}}}";

/* Types of components, colours, and transforms of textures. */
static const char small_colors_json[] =
    "@A'scenes':[{'nodes':[0]}],'nodes':[{'mesh':0}],'textures':[{'source':0},{'source':1},{'source':2}],"
    "'images':[{'uri':'data:image/png;base64,iVBORw0KGgo='},{'uri':'../x.png'},{'uri':'b.bin'}],"
    "'materials':[{'alphaMode':'MASK','alphaCutoff':0.3,'pbrMetallicRoughness':{'baseColorTexture':{"
    "'index':0,'extensions':{'KHR_texture_transform':{'texCoord':0,'offset':[1,2],'scale':[2,3],"
    "'rotation':0.5}}}}},{'pbrMetallicRoughness':{'baseColorTexture':{'index':1}}},"
    "{'pbrMetallicRoughness':{'baseColorTexture':{'index':2}}}],'meshes':[{'primitives':["
    "{'attributes':{'POSITION':0,'NORMAL':1,'TEXCOORD_0':2,'COLOR_0':3},'material':0},"
    "{'attributes':{'POSITION':0,'COLOR_0':4},'material':1},"
    "{'attributes':{'POSITION':0,'COLOR_0':4},'material':2}]}],'accessors':[{'type':'VEC3',@F'count':3},"
    "{'bufferView':0,'type':'VEC3','componentType':5120,'normalized':true,'count':3},"
    "{'bufferView':0,'type':'VEC2','componentType':5122,'normalized':true,'count':3},"
    "{'bufferView':0,'type':'VEC4','componentType':5121,'normalized':true,'count':3},"
    "{'bufferView':0,'type':'VEC3','componentType':5125,'normalized':true,'count':3}@W";

/* Nodes that others carry (extras.mmd), that carry themselves, and with long names. */
static const char small_carried_json[] =
    "@A'scenes':[{'nodes':[0,1]}],'nodes':[{'name':'a','extras':{'mmd':{'nodeName':'a','itemName':'c'}}},"
    "{'name':'b','extras':{'mmd':{'carriedBy':'a'}}}]}";
static const char small_circle_json[] =
    "@A'scenes':[{'nodes':[0]}],'nodes':[{'name':'a','extras':{'mmd':{'carriedBy':'a'}}}]}";
static const char small_names_json[] =
    "@A'scenes':[{'nodes':[0]}],'nodes':[{'name':'@Q@Q','children':[1]},{'name':'@Q@Q'}]}";
static const char small_long_name_json[] = "@A'scenes':[{'nodes':[0]}],'nodes':[{'name':'@Q@Q@Q@Q'}]}";

static const char small_growing_json[] =
    "@N'scale'@P{'type':'SCALAR',@F'count':1},{'bufferView':0,'byteOffset':24,'type':'VEC3',@F'count':1}],"
    "'nodes':[{'scale':[1,0.001,1]}],'bufferViews':[@V0,'byteLength':132}],'buffers':[@B]}";

/* Shapes that are turned, scaled and shared, and both kinds of axes in one limit. */
static const char small_khr_scaled_json[] =
    "@A'scenes':[{'nodes':[0,1,4,5]}],'extensionsUsed':['KHR_physics_rigid_bodies'],'nodes':["
    "{@K:{'collider':{'shape':0}}}},{'scale':[1,-2,1],'children':[2,3],"
    "'extras':{'mmd':{'linearDamping':0.5,'angularDamping':1}},"
    "@K:{'motion':{'mass':1},'collider':{'shape':1},'joint':{'connectedNode':5,'joint':0}}}},"
    "{'translation':[1,0,0],'rotation':[0,0,0.6,0.8],'scale':[1,2,3],@K:{'collider':{'shape':2}}}},"
    "{'rotation':[0,0,0.6,0.8],@K:{'collider':{'shape':3}}}},"
    "{@K:{'collider':{'shape':3}}}},{@K:{'motion':{},'collider':{'shape':3}}}}],"
    "'extensions':{'KHR_collision_shapes':{'shapes':[{'type':'plane','plane':{'doubleSided':true}},"
    "{'type':'capsule','capsule':{'radiusTop':1}},{'type':'sphere','sphere':{}},"
    "{'type':'trimesh','trimesh':{'mesh':0}}]},'KHR_physics_rigid_bodies':{'physicsJoints':[{'limits':["
    "{'linearAxes':[0],'angularAxes':[1],'min':-1,'max':1}]}]}},@G@E";

/* A body that an animation moves. */
static const char small_khr_moved_json[] =
    "@N'translation'@P{'type':'SCALAR',@F'count':1},{'type':'VEC3',@F'count':1}],"
    "'extensionsUsed':['KHR_physics_rigid_bodies'],'nodes':[{@K:{'motion':{},'collider':{'shape':0@C"
    "'type':'sphere','sphere':{}}]}}}";

/* Joints that break rules, and a capsule that is shorter than it is thick. */
static const char small_omi_rules_json[] =
    "@A'scenes':[{'nodes':[0,1,2]}],'extensionsUsed':['OMI_physics_body'],"
    "'nodes':[{@O:{'motion':{'type':'static'},'collider':{'shape':0}}}},{@O:{'trigger':{'shape':0}}}},"
    "{'extensions':{'OMI_physics_joint':{'nodeA':1,'nodeB':2,'constraints':[0,1]}}},"
    "{'extensions':{'OMI_physics_joint':{'nodeB':0,'constraints':[]}}}],'extensions':{'OMI_physics_shape':"
    "{'shapes':[{'type':'capsule','capsule':{'radius':1,'height':0.1}}]},'OMI_physics_joint':{'constraints':["
    "{},{'angularAxes':[0],'lowerLimit':1,'upperLimit':-1,'stiffness':-1}]}}}";

/* All modes of primitives, vertices that two of them share, and matrices that turn halfway round. */
static const char small_modes_json[] =
    "@X{'attributes':{'POSITION':0},'mode':0},{'attributes':{'POSITION':0},'mode':1},"
    "{'attributes':{'POSITION':0},'mode':2},{'attributes':{'POSITION':0},'mode':3},"
    "{'attributes':{'POSITION':0,'NORMAL':0},'indices':1},{'attributes':{'POSITION':0,'NORMAL':0},"
    "'indices':1,'mode':6}]}],'accessors':[{'bufferView':0,'type':'VEC3',@F'count':8},"
    "{'bufferView':0,'byteOffset':96,'type':'SCALAR','componentType':5121,'count':36}@W";
static const char small_turned_json[] =
    "@A'scenes':[{'nodes':[0,2]}],'nodes':[{'matrix':[-1,0,0,0,0,1,0,0,0,0,-1,0,0,0,0,1],'children':[1]},"
    "{'scale':[0,0,0]},{'matrix':[1,0,0,0,0,-1,0,0,0,0,-1,0,0,0,0,1]}]}";

/* Physics in two dialects, with joints, drives and materials of nothing. */
static const char small_loose_json[] =
    "@A'scenes':[{'nodes':[0,1]}],'extensionsUsed':['KHR_physics_rigid_bodies'],'nodes':["
    "{@K:{'motion':{'inertiaDiagonal':[1,0,0]},'collider':{'shape':0,'physicsMaterial':0},'joint':{'joint':0}"
    "},"
    "'OMI_physics_body':{'motion':{'type':'static'}}}},{@K:{'joint':{'connectedNode':1}}}}],"
    "'extensions':{'OMI_physics_body':{},'KHR_collision_shapes':{'shapes':[{'type':'x'},"
    "{'type':'convex','convex':{}}]},'KHR_physics_rigid_bodies':{'physicsMaterials':[{'frictionCombine':'x'}]"
    ","
    "'physicsJoints':[{'limits':[{}],'drives':[{'type':'x','mode':'force','axis':7},{'type':'linear','axis':"
    "0}]}]}}}";

/* Values that are refused. */
static const char wrong_time_json[] = "@N'rotation'@P{'bufferView':0,'type':'SCALAR',@U'count':1},"
                                      "{'type':'VEC4',@F'count':1}],'nodes':[{}],"
                                      "'bufferViews':[@V0,'byteLength':132}],'buffers':[@B]}";
static const char wrong_key_json[] = "@N'translation'@P{'type':'SCALAR',@F'count':1},"
                                     "{'bufferView':0,'type':'VEC3',@F'count':1}],'nodes':[{}@H";
static const char wrong_scale_json[] =
    "@N'scale'@P{'type':'SCALAR',@F'count':1},{'bufferView':0,'type':'VEC3',@F'count':1}],"
    "'nodes':[{'matrix':[1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1]}@H";
static const char wrong_point_json[] = "@X{'attributes':{'POSITION':0,'NORMAL':0}}]}],'accessors':["
                                       "{'bufferView':0,'type':'VEC3',@F'count':1}@H";
static const char wrong_morph_json[] =
    "@X{'attributes':{'POSITION':1,'NORMAL':1},'targets':[{'POSITION':0}]}]}],'accessors':["
    "{'bufferView':0,'type':'VEC3',@F'count':1},{'type':'VEC3',@F'count':1}@H";
static const char wrong_number_json[] =
    "@X{'attributes':{'POSITION':0,'NORMAL':0}}]}],'accessors':[{'bufferView':0,'type':'VEC3',@F'count':1}],"
    "'bufferViews':[@V0,'byteLength':12}],"
    "'buffers':[{'byteLength':12,'uri':'data:;base64,AAAAAAAAAAAAAMB/'}]}";
static const char wrong_sparse_json[] =
    "@X{'attributes':{'POSITION':0}}]}],'accessors':[{'type':'VEC3',@F'count':3,'sparse':{'count':1,"
    "'indices':{'bufferView':0,'componentType':5125},'values':{'bufferView':0}}}@W";
static const char wrong_indices_json[] = "@X{'attributes':{'POSITION':0},'indices':1}]}],'accessors':["
                                         "{'type':'VEC3',@F'count':3},{'type':'SCALAR',@F'count':3}]}";
static const char wrong_stride_json[] =
    "@X{'attributes':{'POSITION':0}}]}],'accessors':[{'bufferView':0,'type':'VEC3',@F'count':3}],"
    "'bufferViews':[@V0,'byteLength':96,'byteStride':4}],'buffers':[@B]}";
static const char wrong_joint_json[] =
    "@A'scenes':[{'nodes':[0]}],'nodes':[{'mesh':0,'skin':0}],'skins':[{'joints':[0]}],'meshes':[{"
    "'primitives':[{'attributes':{'POSITION':0,'JOINTS_0':1,'WEIGHTS_0':1}}]}],'accessors':["
    "{'type':'VEC3',@F'count':3},"
    "{'bufferView':0,'byteOffset':96,'type':'VEC4','componentType':5121,'count':3}@W";
static const char wrong_color_json[] = "@X{'attributes':{'POSITION':0,'COLOR_0':1}}]}],'accessors':["
                                       "{'type':'VEC3',@F'count':3},{'type':'VEC2',@F'count':3}]}";
static const char wrong_turn_json[] =
    "@Z'inertiaOrientation':[0,0,0,0]},'collider':{'shape':0@C'type':'sphere','sphere':{}}]}}}";
static const char wrong_inertia_json[] =
    "@Z'inertiaDiagonal':[-1,0,0]},'collider':{'shape':0@C'type':'sphere','sphere':{}}]}}}";
static const char wrong_size_json[] = "@Z},'collider':{'shape':0@C'type':'box','box':{'size':[1,-1,1]}}]}}}";
static const char wrong_mesh_json[] =
    "@A'scenes':[{'nodes':[0]}],'extensionsUsed':['KHR_physics_rigid_bodies'],'nodes':["
    "{'scale':[1e9,1e9,1e9],@K:{'collider':{'shape':0@C'type':'trimesh','trimesh':{'mesh':0}}]}},@G@E";

static const char small_solver_json[] =
    "{'schema':'ragdoll-1.0','info':{'ragdollVersion':'2022.01.01'},'entities':{"
    "'1':{'components':{'SolverComponent':{'members':{'gravity':{'values':[0,-982,0]},'useGround':true,"
    "'groundFriction':0.5,'groundRestitution':0.1,'substeps':4,'positionIterations':8,'spaceMultiplier':1,"
    "'timeMultiplier':1}},'RestComponent':{'members':{'matrix':@I0,0,0,1]}}}}}}}";

static const char small_rigids_json[] =
    "{'schema':'ragdoll-1.0','entities':{"
    "'2':{'components':{@R,'kinematic':true}},'RestComponent':{'members':{'matrix':@I0,20,0,1]}}},"
    "'GeometryDescriptionComponent':{'members':{'type':'Capsule',@Y}},"
    "'3':{'components':{@R,'parentRigid':2,'enableCCD':true}},"
    "'RestComponent':{'members':{'matrix':@I0,10,0,1]}}},"
    "'GeometryDescriptionComponent':{'members':{'type':'Box',@Y}}}}";

static const char small_convex_json[] =
    "{'schema':'ragdoll-1.0','entities':{"
    "'4':{'components':{@R,'disableGravity':true}},'RestComponent':{'members':{'matrix':@I9,10,0,1]}}},"
    "'ConvexMeshComponents':{'members':{'vertices':{'values':[0,0,0,4,0,0,0,4,0,0,0,4,4,4,4]}}},"
    "'GeometryDescriptionComponent':{'members':{'type':'ConvexHull',@Y}}}}";

static const char small_plane_json[] =
    "{'schema':'ragdoll-1.0','entities':{'4':{'components':{'RigidComponent':{'members':{'mass':1}},"
    "'RestComponent':{'members':{'matrix':{'values':[-1,0,0,0,0,1,0,0,0,0,-1,0,0,5,0,1]}}},"
    "'GeometryDescriptionComponent':{'members':{'type':'Plane',@Y}},"
    "'5':{'components':{'RigidComponent':{'members':{'mass':1}},"
    "'RestComponent':{'members':{'matrix':{'values':[1,0,0,0,0,-1,0,0,0,0,-1,0,0,9,0,1]}}},"
    "'GeometryDescriptionComponent':{'members':{'type':'Cylinder',@Y}}}}";

static const char small_joint_json[] =
    "{'schema':'ragdoll-1.0','entities':{'2':{'components':{'RigidComponent':{'members':{'mass':1}},"
    "'RestComponent':{'members':{'matrix':@I0,20,0,1]}}},"
    "'GeometryDescriptionComponent':{'members':{'type':'Sphere',@Y}},"
    "'6':{'components':{'JointComponent':{'members':{'parent':0,'child':{'type':'Entity','value':2},"
    "'disableCollision':true,'parentFrame':@I0,-5,0,1]},'childFrame':@I0,5,0,1]}}},"
    "'LimitComponent':{'members':{'enabled':true,'x':-1,'y':-1,'z':2,'twist':0.5,'swing1':0.3,'swing2':0.6,"
    "'linearStiffness':1000,'linearDamping':10,'angularStiffness':1000,'angularDamping':10}},"
    "'DriveComponent':{'members':{'enabled':true,'acceleration':true,'linearStiffness':100,"
    "'linearDamping':1,'angularStiffness':100,'angularDamping':1,'target':@I0,-10,0,1]}}}}}}}";

/* Shapes, parents and joints of nothing, in an order that has to be sorted; and parents in a circle. */
static const char small_dangling_json[] =
    "{'schema':'ragdoll-1.0','entities':{"
    "'9':{'components':{'JointComponent':{'members':{'parent':1,'child':20,'parentFrame':@I0,0,0,1]},"
    "'childFrame':@I0,0,0,1]}}},'LimitComponent':{'members':{'enabled':true,'twist':0.5,'swing1':0.3,"
    "'swing2':0.3}}}},"
    "'20':{'components':{'RigidComponent':{'members':{'mass':1,'parentRigid':1}},"
    "'RestComponent':{'members':{'matrix':@I0,20,0,1]}}},"
    "'GeometryDescriptionComponent':{'members':{'type':'Torus',@Y}},"
    "'3':{'components':{'RigidComponent':{'members':{'mass':1}},"
    "'RestComponent':{'members':{'matrix':@I0,20,0,1]}}},"
    "'GeometryDescriptionComponent':{'members':{'type':'ConvexHull',@Y}},"
    "'1':{'components':{'SolverComponent':{'members':{'gravity':{'values':[0,-982,0]},'timeMultiplier':2}}}}}"
    "}";

static const char small_ancestor_json[] =
    "{'schema':'ragdoll-1.0','entities':{"
    "'2':{'components':{@R,'parentRigid':3}},'RestComponent':{'members':{'matrix':@I0,20,0,1]}}},"
    "'GeometryDescriptionComponent':{'members':{'type':'Box',@Y}},"
    "'3':{'components':{@R,'parentRigid':2}},'RestComponent':{'members':{'matrix':@I0,20,0,1]}}},"
    "'GeometryDescriptionComponent':{'members':{'type':'Box',@Y}}}}";

typedef struct document {
    const char *name, *json;
} document;

static const document large[] = {{"scene", scene_json},
                                 {"khr-seed", khr_seed_json},
                                 {"khr-current", khr_current_json},
                                 {"omi-seed", omi_seed_json},
                                 {"omi-newer", omi_newer_json}};

static const document small[] = {{"mesh", small_mesh_json},
                                 {"skin", small_skin_json},
                                 {"morph", small_morph_json},
                                 {"animation", small_animation_json},
                                 {"weights", small_weights_json},
                                 {"texture", small_texture_json},
                                 {"sparse", small_sparse_json},
                                 {"sets", small_sets_json},
                                 {"file", small_file_json},
                                 {"khr-motion", small_khr_motion_json},
                                 {"khr-joint", small_khr_joint_json},
                                 {"khr-mesh", small_khr_mesh_json},
                                 {"khr-shapes", small_khr_shapes_json},
                                 {"omi-joint", small_omi_joint_json},
                                 {"omi-newer", small_omi_newer_json},
                                 {"omi-gravity", small_omi_gravity_json},
                                 {"colors", small_colors_json},
                                 {"carried", small_carried_json},
                                 {"circle", small_circle_json},
                                 {"names", small_names_json},
                                 {"long-name", small_long_name_json},
                                 {"growing", small_growing_json},
                                 {"khr-scaled", small_khr_scaled_json},
                                 {"khr-moved", small_khr_moved_json},
                                 {"omi-rules", small_omi_rules_json},
                                 {"modes", small_modes_json},
                                 {"turned", small_turned_json},
                                 {"loose", small_loose_json},
                                 {"wrong-time", wrong_time_json},
                                 {"wrong-key", wrong_key_json},
                                 {"wrong-scale", wrong_scale_json},
                                 {"wrong-point", wrong_point_json},
                                 {"wrong-morph", wrong_morph_json},
                                 {"wrong-number", wrong_number_json},
                                 {"wrong-sparse", wrong_sparse_json},
                                 {"wrong-indices", wrong_indices_json},
                                 {"wrong-stride", wrong_stride_json},
                                 {"wrong-joint", wrong_joint_json},
                                 {"wrong-color", wrong_color_json},
                                 {"wrong-turn", wrong_turn_json},
                                 {"wrong-inertia", wrong_inertia_json},
                                 {"wrong-size", wrong_size_json},
                                 {"wrong-mesh", wrong_mesh_json}};

static const document small_ragdolls[] = {{"solver", small_solver_json},    {"rigids", small_rigids_json},
                                          {"convex", small_convex_json},    {"plane", small_plane_json},
                                          {"joint", small_joint_json},      {"dangling", small_dangling_json},
                                          {"ancestor", small_ancestor_json}};

#define COUNT_OF(list) (sizeof(list) / sizeof *(list))

/* --------------------------------------------------------------- writing */

/* Writes Base64 (RFC 4648) without padding, so the size must be a multiple of three. */
static void write_base64(mmd_buffer *out, const mmd_buffer *bytes)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i + 2 < bytes->size; i += 3) {
        uint32_t bits =
            (uint32_t)bytes->data[i] << 16 | (uint32_t)bytes->data[i + 1] << 8 | bytes->data[i + 2];
        for (int shift = 18; shift >= 0; shift -= 6)
            mmd_write_u8(out, (uint8_t)digits[bits >> shift & 63]);
    }
}

static const char *find_piece(char letter)
{
    for (size_t i = 0; i < sizeof pieces / sizeof pieces[0]; i++)
        if (pieces[i].letter == letter)
            return pieces[i].text;
    return "";
}

static void write_text(mmd_buffer *out, const char *text, const char *buffer)
{
    for (const char *at = text; *at; at++)
        if (at[0] == '@' && at[1] == 'B')
            mmd_write_bytes(out, buffer, strlen(buffer));
        else if (at[0] == '@')
            write_text(out, find_piece(at[1]), buffer);
        else if (at == text || at[-1] != '@')
            mmd_write_u8(out, at[0] == '\'' ? '"' : (uint8_t)at[0]);
}

static void save_gltf(const char *folder, const char *corpus, const document *d, const mmd_buffer *numbers)
{
    mmd_buffer out = {0}, uri = {0};
    char file[64];
    mmd_write_format(&uri, "{\"byteLength\":%d,\"uri\":\"data:application/octet-stream;base64,",
                     (int)numbers->size);
    write_base64(&uri, numbers);
    mmd_write_bytes(&uri, "\"}", 3); /* with its NUL */
    write_text(&out, d->json, (const char *)uri.data);
    snprintf(file, sizeof file, "%s.gltf", d->name);
    corpus_save(folder, corpus, file, &out);
    mmd_buffer_finish(&uri);
}

static void save_glb(const char *folder, const char *corpus, const document *d, const mmd_buffer *numbers)
{
    mmd_buffer out = {0}, text = {0};
    char file[64], buffer[32];
    snprintf(buffer, sizeof buffer, "{\"byteLength\":%d}", (int)numbers->size);
    write_text(&text, d->json, buffer);
    while (text.size % 4)
        mmd_write_u8(&text, ' ');
    const uint32_t head[5] = {0x46546C67, 2, (uint32_t)(28 + text.size + numbers->size), (uint32_t)text.size,
                              0x4E4F534A};
    for (int i = 0; i < 5; i++)
        mmd_write_u32(&out, head[i]);
    mmd_write_bytes(&out, text.data, text.size);
    mmd_write_u32(&out, (uint32_t)numbers->size);
    mmd_write_u32(&out, 0x004E4942);
    mmd_write_bytes(&out, numbers->data, numbers->size);
    snprintf(file, sizeof file, "%s.glb", d->name);
    corpus_save(folder, corpus, file, &out);
    mmd_buffer_finish(&text);
}

static void save_ragdoll(const char *folder, const char *corpus, const document *d)
{
    mmd_buffer out = {0};
    char file[64];
    write_text(&out, d->json, "");
    snprintf(file, sizeof file, "%s.json", d->name);
    corpus_save(folder, corpus, file, &out);
}

int main(int count, char **arguments)
{
    if (count != 2) {
        fprintf(stderr, "usage: %s FOLDER\n", arguments[0]);
        return 2;
    }
    mmd_buffer numbers = make_numbers();
    for (size_t i = 0; i < COUNT_OF(large); i++) {
        save_gltf(arguments[1], "exchange", &large[i], &numbers);
        save_glb(arguments[1], "exchange", &large[i], &numbers);
    }
    save_ragdoll(arguments[1], "exchange", &(document){"dump", ragdoll_json});
    numbers.size = SMALL_SIZE;
    for (size_t i = 0; i < COUNT_OF(small); i++) {
        save_gltf(arguments[1], "gltf", &small[i], &numbers);
        save_glb(arguments[1], "glb", &small[i], &numbers);
    }
    for (size_t i = 0; i < COUNT_OF(small_ragdolls); i++)
        save_ragdoll(arguments[1], "ragdoll", &small_ragdolls[i]);
    mmd_buffer_finish(&numbers);
    return 0;
}

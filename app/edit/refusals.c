/* The Japanese texts of refusals, in MMD's terms. */
#include "refusals.h"

#include <stdio.h>
#include <string.h>

#include "controller.h"
#include "session.h"

const char *refusal_in_japanese(mmd_refusal refusal)
{
    static const char *const clauses[MMD_REFUSAL_COUNT] = {
        [MMD_REFUSAL_MEMORY] = "メモリが足りません",
        [MMD_REFUSAL_NO_ITEM] = "その対象はありません",
        [MMD_REFUSAL_READ_ONLY] = "{item}は読み取り専用です",
        [MMD_REFUSAL_NO_OP] = "{item}に変形「{1}」はありません",
        [MMD_REFUSAL_BURIED] = "{item}は編集できません。編集用の変形の後に別の変形が加えられています",
        [MMD_REFUSAL_MATRIX] = "{item}の変形では、その行列にできません",
        [MMD_REFUSAL_VALUE] = "{item}をその値にはできません",
        [MMD_REFUSAL_NUMBER] = "数値が大きすぎるか、正しくありません",
        [MMD_REFUSAL_NOTHING] = "{item}に編集できるものがありません",
        [MMD_REFUSAL_NO_TRANSLATION] = "{item}は移動できません",
        [MMD_REFUSAL_NO_ROTATION] = "{item}は回転できません",
        [MMD_REFUSAL_NO_SCALE] = "{item}は拡大縮小できません",
        [MMD_REFUSAL_NO_PIVOT] = "{item}にピボットはありません",
        [MMD_REFUSAL_PHYSICS] =
            "{item}は物理演算で動いています。一時停止中か、物理演算オフのときに編集できます",
        [MMD_REFUSAL_IK] = "{item}はIKで動いています。{1}を動かしてください",
        [MMD_REFUSAL_FIXED_AXIS] = "{item}は軸制限ボーンで、その軸でしか回転しません",
        [MMD_REFUSAL_BONE_SCALE] = "{item}は拡大縮小できません。ボーンに拡大縮小はありません",
        [MMD_REFUSAL_BONE_PIVOT] = "{item}にピボットはありません (ボーン)",
        [MMD_REFUSAL_NODE_PIVOT] = "{item}にピボットはありません (glTFのノード)",
        [MMD_REFUSAL_PROJECT] = "{item}の配置はプロジェクトのキーフレームで決まっています",
        [MMD_REFUSAL_PHYSICS_PLACE] = "{item}がその位置では物理演算を始められません",
        [MMD_REFUSAL_DARK] = "照明の方向は0にできません",
        [MMD_REFUSAL_KEY_ITEM] =
            "キーフレームを登録できるのは、ボーン・表情・カメラ・照明・セルフ影・表示・IKだけです",
        [MMD_REFUSAL_KEY_MOTION] = "{item}のキーフレームを登録できるモーションがありません",
        [MMD_REFUSAL_KEY_MIRRORED] = "左右反転中はキーフレームを登録できません。先に{1}を切ってください",
        [MMD_REFUSAL_KEY_PART_OF_FRAME] =
            "キーフレームはモーションの整数フレームにしか登録できません ({1}は不可)",
        [MMD_REFUSAL_KEY_FRAME] = "フレームは0以上の整数です",
        [MMD_REFUSAL_KEY_NONE] = "{item}のフレーム{1}にキーフレームはありません",
        [MMD_REFUSAL_KEY_KIND] = "{item}のキーフレームにその項目はありません",
        [MMD_REFUSAL_KEY_MATRIX] = "キーフレームは移動か回転、またはボーン全体の行列で登録します",
        [MMD_REFUSAL_KEY_SCALE] =
            "モーションのキーフレームに拡大縮小はありません。キーフレームの登録を切ると{item}を編集できます",
        [MMD_REFUSAL_KEY_WEIGHT] = "{item}に値はありません。値を持つのは表情だけです",
        [MMD_REFUSAL_CURVE_NUMBER] = "補間曲線の値は0から127までの整数です",
        [MMD_REFUSAL_CURVE_MORPH] = "表情のキーフレームに補間曲線はありません",
        [MMD_REFUSAL_CURVE_LIGHT] = "照明のキーフレームに補間曲線はありません",
        [MMD_REFUSAL_CURVE_BONE] = "ボーンのキーフレームにその補間曲線はありません",
        [MMD_REFUSAL_CURVE_CAMERA] = "カメラのキーフレームにその補間曲線はありません",
        [MMD_REFUSAL_CURVE_SWITCHES] = "セルフ影と表示・IKのキーフレームに補間曲線はありません",
        [MMD_REFUSAL_KEY_SWITCH] = "{item}はIKボーンではありません",
        [MMD_REFUSAL_KEY_SHADOW] = "セルフ影のモードは0・1・2、距離は数値です",
        [MMD_REFUSAL_PARENT_ITEM] = "外部親を設定できるのはボーンとモデルだけで、親になるのはボーンだけです",
        [MMD_REFUSAL_PARENT_RING] = "相手のモデルがすでにこのモデルに付いているため、外部親に設定できません",
    };
    return refusal < MMD_REFUSAL_COUNT ? clauses[refusal] : NULL;
}

const mmd_item_texts *refusal_items_in_japanese(void)
{
    static const mmd_item_texts texts = {.items = {[MMD_ITEM_NONE] = "対象",
                                                   [MMD_ITEM_STAGE] = "ステージ",
                                                   [MMD_ITEM_MODEL] = "{name}",
                                                   [MMD_ITEM_BONE] = "{model}の{name}",
                                                   [MMD_ITEM_BODY] = "{model}の剛体{name}",
                                                   [MMD_ITEM_JOINT] = "{model}のジョイント{name}",
                                                   [MMD_ITEM_CAMERA] = "カメラ",
                                                   [MMD_ITEM_LIGHT] = "照明",
                                                   [MMD_ITEM_NODE] = "ノード{name}",
                                                   [MMD_ITEM_MORPH] = "{model}の表情{name}",
                                                   [MMD_ITEM_SWITCHES] = "{model}の表示・IK",
                                                   [MMD_ITEM_SHADOW] = "セルフ影"},
                                         .same_name = "{name} ({n}番目のモデル)"};
    return &texts;
}

void refusal_translate(const odori_session *s, const char *why, char *out, size_t size)
{
    const mmd_edit *edit = s->history.edit;
    bool is_its = edit && why == mmd_edit_refusal(edit);
    const char *text =
        is_its && session_in_japanese(s) ? refusal_in_japanese(mmd_edit_refusal_code(edit)) : NULL;
    if (text)
        mmd_edit_refusal_in(edit, text, refusal_items_in_japanese(), out, size);
    else
        snprintf(out, size, "%s", why);
}

bool refusal_has_controller(mmd_refusal refusal)
{
    return refusal == MMD_REFUSAL_IK || refusal == MMD_REFUSAL_PHYSICS;
}

bool refusal_controller(odori_session *s, mmd_item item, char *name, size_t size)
{
    mmd_item by;
    if (!s->history.edit || controller_find(s, item, &by) == CONTROLLER_NONE)
        return false;
    mmd_edit_describe(s->history.edit, by, session_in_japanese(s) ? refusal_items_in_japanese() : NULL, name,
                      size);
    return true;
}

void refusal_offer(odori_session *s, const char *why, const char *key, char *out, size_t size)
{
    const odori_selection *selection = &s->selection;
    char name[SESSION_NAME_MAX];
    bool is_its = s->history.edit && why == mmd_edit_refusal(s->history.edit) &&
                  refusal_has_controller(mmd_edit_refusal_code(s->history.edit));
    refusal_translate(s, why, out, size);
    size_t length = strlen(out);
    if (is_its && selection->count &&
        refusal_controller(s, selection->items[selection->count - 1], name, sizeof name))
        snprintf(out + length, size - length, session_in_japanese(s) ? " (%sで%sを選択)" : "; %s selects %s",
                 key ? key : "`edit.controller`", name);
}

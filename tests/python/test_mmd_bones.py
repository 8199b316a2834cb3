"""Bones of whole dances beside MMD 9.31's own, where ../shared has them (its oracle/mmd/README.md says how they were
recorded). tests/mmd has MMD's numbers for models of the project, which need no other files."""

import numpy as np
import pytest

import odori
from conftest import SOURCE

SHARED = SOURCE.parent / "shared"
PAIRS = {
    "miku_wavefile": ("models/miku/初音ミク.pmx", "wavefile"),
    "tda_wavefile": ("models/tda/Tda式初音ミク_デフォ服ver.pmx", "wavefile"),
    "tumi_wavefile": ("models/tumi/ミクさん.pmx", "wavefile"),
    "ganyu_wavefile": ("models/ganyu/甘雨.pmx", "wavefile"),
    "alicia_wavefile": ("models/alicia/Alicia_solid.pmx", "wavefile"),
    "pmdv2_kishimen": ("models/pmd/Miku_Hatsune_Ver2.pmd", "kishimen"),
    "pmdrin_kishimen": ("models/pmd/Rin_Kagamine.pmd", "kishimen"),
    "mmt_kishimen": ("models/mmt/mmt_test_model.pmx", "kishimen"),
}


@pytest.mark.parametrize("name", PAIRS)
def test_dances_are_mmds(name):
    recorded = SHARED / "oracle" / "mmd" / (name + ".npz")
    if not recorded.exists():
        pytest.skip("needs {}".format(recorded))
    model, motion = PAIRS[name]
    mmd = np.load(recorded)
    bones = odori.bones(
        SHARED / "data" / model,
        motion=SHARED / "data" / "motions" / (motion + ".vmd"),
        frames=[float(frame) for frame in mmd["frames"]],
    )
    distances = np.linalg.norm(bones[:, :, :3, 3] - mmd["matrices"][:, :, 3], axis=2)
    shares = [100 * float((distances < limit).mean()) for limit in (0.05, 0.005, 0.001)]
    print("{}: {:.3f}, {:.3f}, {:.3f} % within 0.05, 0.005, 0.001; worst {:.3f}".format(name, *shares, distances.max()))
    assert shares[0] == 100 and shares[1] > (99.8 if name == "mmt_kishimen" else 99.9) and shares[2] > 98.8

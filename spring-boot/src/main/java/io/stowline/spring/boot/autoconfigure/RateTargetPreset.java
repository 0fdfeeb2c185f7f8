package io.stowline.spring.boot.autoconfigure;

import io.stowline.transport.ScalabilityTargets;

/** The presets of {@link ScalabilityTargets} that the property {@code stowline.rate-targets.preset} can name. */
public enum RateTargetPreset {

    /** The targets that hold in all regions: {@link ScalabilityTargets#everywhere}. */
    EVERYWHERE,

    /** The higher targets of the large regions: {@link ScalabilityTargets#largeRegions}. */
    LARGE_REGIONS;

    ScalabilityTargets targets() {
        return this == EVERYWHERE ? ScalabilityTargets.everywhere() : ScalabilityTargets.largeRegions();
    }
}

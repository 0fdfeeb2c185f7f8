package io.stowline.system.ledger.script;

import java.util.Random;

/** The intensity of the faults during a step. */
enum FaultIntensity {
    CALM(0),
    ROUGH(0.45),
    STORM(0.9),
    /** Each request arrives late. */
    LATE(0.9);

    private final double roughness;

    FaultIntensity(double roughness) {
        this.roughness = roughness;
    }

    static FaultIntensity of(Random random) {
        int choice = random.nextInt(100);
        return choice < 30 ? CALM : choice < 75 ? ROUGH : choice < 84 ? STORM : LATE;
    }

    /** Returns the share of requests that meet a fault. */
    double roughness() {
        return roughness;
    }
}

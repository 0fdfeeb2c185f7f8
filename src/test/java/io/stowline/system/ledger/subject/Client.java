package io.stowline.system.ledger.subject;

import io.stowline.system.ledger.script.ClosingPoint;
import io.stowline.system.ledger.script.Weather;

/** The clients that the ledger is kept of. */
public enum Client {
    /** This library. */
    STOWLINE {
        @Override
        public Subject connect(String connectionString, String name, Weather weather, long seed, ClosingPoint closing) {
            return new StowlineSubject(connectionString, name, weather.attempt(), seed, closing);
        }
    },
    /** The SDK's own clients, alone. They cannot be closed, so that no step is cut short. */
    SDK {
        @Override
        public Subject connect(String connectionString, String name, Weather weather, long seed, ClosingPoint closing) {
            return new SdkSubject(connectionString, name, weather.attempt());
        }
    };

    /** Connects to the storage of one seed through one worker's faults. */
    public abstract Subject connect(
            String connectionString, String name, Weather weather, long seed, ClosingPoint closing);
}

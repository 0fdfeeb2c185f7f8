package io.stowline.spring.boot.test;

import io.stowline.spring.boot.autoconfigure.StowlineConnectionDetails;

/** The connection to an emulator or a fault proxy in front of it. */
final class EmulatorConnectionDetails implements StowlineConnectionDetails {

    private final String connectionString;

    EmulatorConnectionDetails(String connectionString) {
        this.connectionString = connectionString;
    }

    @Override
    public String getConnectionString() {
        return connectionString;
    }
}

package io.stowline.observe;

import io.micrometer.common.docs.KeyName;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;
import io.micrometer.observation.docs.ObservationDocumentation;

/** The observations of {@link MicrometerListener}. */
@SuppressWarnings("exports") // Micrometer is optional: who uses this class requires it
enum StowlineObservation implements ObservationDocumentation {

    /** An operation, all its attempts and what reads it back included. */
    OPERATION {
        @Override
        public Class<? extends ObservationConvention<? extends Observation.Context>> getDefaultConvention() {
            return StowlineObservationConvention.class;
        }

        @Override
        public KeyName[] getLowCardinalityKeyNames() {
            return LowCardinality.values();
        }

        @Override
        public KeyName[] getHighCardinalityKeyNames() {
            return HighCardinality.values();
        }
    };

    /** Keys with few values, which become tags of metrics, too. */
    enum LowCardinality implements KeyName {
        /** The account's name. */
        ACCOUNT("account"),
        /** {@code table}, {@code queue} or {@code blob}. */
        SERVICE("service"),
        /** The verb, such as {@code insert}, {@code transaction}, {@code send} or {@code upload}. */
        OPERATION("operation"),
        /**
         * The part of a table that the service searches for a read: {@code point}, {@code row-range}, {@code
         * partition}, {@code partition-range} or {@code table-scan}; {@code none} of any other operation.
         */
        QUERY_CLASS("query.class"),
        /**
         * {@code success}; {@code recovered} if reading back showed it; {@code absent} for a deletion after which there is nothing;
         * {@code failed}; {@code unknown} if the outcome of a write is unknown; {@code cancelled}; {@code none} while it goes on.
         */
        OUTCOME("outcome"),
        /** The simple name of the exception that it failed with, or {@code none}. */
        EXCEPTION("exception");

        private final String key;

        LowCardinality(String key) {
            this.key = key;
        }

        @Override
        public String asString() {
            return key;
        }
    }

    /** Keys with any number of values, for traces only. */
    enum HighCardinality implements KeyName {
        /** The resource of the operation, keys and names included. */
        RESOURCE("resource"),
        /** The {@code x-ms-client-request-id} of its first request, or {@code none}. */
        CLIENT_REQUEST_ID("client.request.id"),
        /** The number of its attempts. */
        ATTEMPTS("attempts");

        private final String key;

        HighCardinality(String key) {
            this.key = key;
        }

        @Override
        public String asString() {
            return key;
        }
    }
}

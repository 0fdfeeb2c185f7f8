package io.stowline.access.internal;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The fields of one signature by their parameters' names (the service's pages "Create a service SAS", "Create an account SAS" and "Create a user
 * delegation SAS"), in the order of the token.
 *
 * @param resource the resource in the form that is signed, such as {@code /blob/account/container/name}; of an account's signature its name
 * @param snapshot the snapshot or version of a blob, which is signed but no part of the token; empty if there is none
 * @param parameters the parameters of the token
 */
record SasFields(String resource, String snapshot, Map<String, String> parameters) {

    static final String VERSION = "sv";
    static final String START = "st";
    static final String END = "se";
    static final String PERMISSIONS = "sp";
    static final String POLICY = "si";

    SasFields {
        parameters = new LinkedHashMap<>(parameters);
    }

    /** Returns the value of a parameter, or an empty text if it is not there. */
    String value(String parameter) {
        return parameters.getOrDefault(parameter, "");
    }

    /** Returns the fields with a parameter, unless its value is {@code null}. */
    SasFields with(String parameter, @Nullable String value) {
        SasFields fields = new SasFields(resource, snapshot, parameters);
        if (value != null) {
            fields.parameters.put(parameter, value);
        }
        return fields;
    }

    /** Returns the fields with those of the key that signs. */
    SasFields with(DelegationKey key) {
        SasFields fields = new SasFields(resource, snapshot, parameters);
        DelegationKey.PARAMETERS.forEach(
                name -> fields.parameters.put(name, key.parameters().get(name)));
        return fields;
    }

    /** Prints a time as the service reads it, in whole seconds. */
    static String time(Instant time) {
        return time.truncatedTo(ChronoUnit.SECONDS).toString();
    }

    /** Shows no value. */
    @Override
    public String toString() {
        return "SasFields" + parameters.keySet();
    }
}

package io.stowline.access.internal;

import io.stowline.transport.internal.account.HmacSigner;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * A user delegation key: signs in the name of an identity of Microsoft Entra ID for at most seven days. It does not show itself.
 *
 * @param parameters its fields as they stand in a signature, by the names of {@link #PARAMETERS}
 * @param expiresAt when it ends, and with it all that it has signed
 * @param signer the key
 */
record DelegationKey(Map<String, String> parameters, Instant expiresAt, HmacSigner signer) {

    /** Object, tenant, start, end, service and version, in the order of the string to sign. */
    static final List<String> PARAMETERS = List.of("skoid", "sktid", "skt", "ske", "sks", "skv");

    DelegationKey {
        parameters = Map.copyOf(parameters);
    }

    @Override
    public String toString() {
        return "DelegationKey[until " + expiresAt + ", not shown]";
    }
}

package io.stowline.transport.internal.error;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The advice of an error code whose service text does not name the way out. Stateless. */
public final class RefusalAdvice {

    private static final String BEING_DELETED =
            "it has been deleted a short time ago, and the service frees its name only when that is done: wait 40 s or"
                    + " longer, or use another name";
    private static final String SIGNATURE = "the shared access signature does not cover this request";

    private static final String GATEWAY =
            " (the response has no x-ms-request-id and no error code: a gateway or proxy before the service has made"
                    + " it)";

    private static final Map<String, String> BY_CODE = Map.ofEntries(
            Map.entry("TableBeingDeleted", BEING_DELETED),
            Map.entry("QueueBeingDeleted", BEING_DELETED),
            Map.entry("ContainerBeingDeleted", BEING_DELETED),
            Map.entry(
                    "AuthorizationFailure",
                    "the firewall or the network rules of the account refuse this address, or the credential lacks a"
                            + " permission"),
            Map.entry(
                    "AuthorizationPermissionMismatch",
                    "the identity has no role with this permission on the data, such as Storage Blob Data Contributor,"
                            + " or the signature lacks it; a new role needs some minutes to take effect"),
            Map.entry("AuthorizationResourceTypeMismatch", SIGNATURE + ": check its resource types (srt)"),
            Map.entry("AuthorizationServiceMismatch", SIGNATURE + ": check its services (ss)"),
            Map.entry("AuthorizationProtocolMismatch", SIGNATURE + ": it allows https only (spr)"),
            Map.entry("AuthorizationSourceIPMismatch", SIGNATURE + ": this address is outside its range (sip)"),
            Map.entry(
                    "CannotVerifyCopySource",
                    "the service of the target could not read the source: it is missing, its proof is refused, or the"
                            + " network rules of its account refuse the target; copy through this client instead"),
            Map.entry(
                    "PendingCopyOperation",
                    "a copy to this blob is in progress: wait for its end, or abort it by its id"),
            Map.entry("AccountIsDisabled", "the account is disabled: check the subscription"),
            Map.entry(
                    "KeyBasedAuthenticationNotPermitted",
                    "the account allows no account keys: connect with a TokenCredential"),
            Map.entry(
                    "OperationNotAllowedOnRootBlob",
                    "the present version of a blob cannot be deleted by its version id: delete the blob by its name"));

    private RefusalAdvice() {}

    /**
     * Returns the advice on a refusal.
     *
     * @return the advice with a separator before it, or an empty text
     */
    public static String of(ServiceError refusal) {
        boolean gateway = refusal.status() / 100 == 4 && refusal.code() == null && refusal.requestId() == null;
        return gateway ? GATEWAY : of(refusal.code());
    }

    private static String of(@Nullable String code) {
        String advice = code == null ? null : BY_CODE.get(code);
        return advice == null ? "" : " (" + advice + ")";
    }
}

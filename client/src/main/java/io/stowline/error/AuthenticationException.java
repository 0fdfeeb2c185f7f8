package io.stowline.error;

import org.jspecify.annotations.Nullable;

/**
 * The service refused the credential, its permissions, or the place that the request came from (401, 403). {@link #reason()} names which. Trying
 * again with the same credential from the same place cannot help.
 */
public final class AuthenticationException extends StorageException {

    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception from its facts.
     *
     * @param failure the facts
     * @param cause what lies beneath, or {@code null}
     */
    public AuthenticationException(FailureDetails failure, @Nullable Throwable cause) {
        super(failure, cause);
    }

    /** The reason why the service refuses the credential of a request. */
    public enum Reason {

        /** The key, signature or token is wrong, expired, or missing; or the credential gave no token. */
        CREDENTIAL,

        /** The credential is right and lacks a permission or role, or its signature covers other requests. */
        PERMISSION,

        /**
         * The firewall or the network rules of the account, or the address range of a signature, exclude the caller's address. The service has
         * one code, {@code AuthorizationFailure}, for its network rules and for some missing permissions: this reason is given for both.
         */
        NETWORK,

        /** The account is disabled, or its settings forbid this kind of credential. */
        ACCOUNT,

        /** The service gave another code, or none. */
        OTHER
    }

    /**
     * Returns why the request was refused, by the code of the service.
     *
     * @return the reason; never {@code null}
     */
    public Reason reason() {
        String code = failure().errorCode();
        if (failure().status() == 0 || failure().status() == 401) {
            return Reason.CREDENTIAL;
        }
        return code == null
                ? Reason.OTHER
                : switch (code) {
                    case "AuthenticationFailed", "InvalidAuthenticationInfo", "NoAuthenticationInformation" ->
                        Reason.CREDENTIAL;
                    case "AuthorizationPermissionMismatch",
                            "AuthorizationResourceTypeMismatch",
                            "AuthorizationServiceMismatch",
                            "AuthorizationProtocolMismatch",
                            "InsufficientAccountPermissions",
                            "UnauthorizedBlobOverwrite" -> Reason.PERMISSION;
                    case "AuthorizationFailure", "AuthorizationSourceIPMismatch" -> Reason.NETWORK;
                    case "AccountIsDisabled", "KeyBasedAuthenticationNotPermitted", "PublicAccessNotPermitted" ->
                        Reason.ACCOUNT;
                    default -> Reason.OTHER;
                };
    }
}

package io.stowline.error;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.stowline.error.AuthenticationException.Reason;
import io.stowline.projection.InvalidKeyException;
import io.stowline.projection.internal.edm.KeyRules;
import io.stowline.projection.key.KeyFormat;
import io.stowline.table.InvalidPageTokenException;
import io.stowline.table.internal.query.PageToken;
import io.stowline.transport.internal.account.Bench;
import io.stowline.transport.internal.request.OperationType;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RefusalKindsTest {

    private final Bench bench = new Bench();

    private StorageException refused(int status, String code) {
        bench.wire().responds(status, Bench.jsonError(code, "text"));
        return bench.start(OperationType.WRITE).storageError();
    }

    @ParameterizedTest
    @CsvSource({
        "AuthenticationFailed, CREDENTIAL, text",
        "AuthorizationPermissionMismatch, PERMISSION, role",
        "InsufficientAccountPermissions, PERMISSION, text",
        "AuthorizationFailure, NETWORK, network rules",
        "AuthorizationSourceIPMismatch, NETWORK, sip",
        "AccountIsDisabled, ACCOUNT, subscription",
        "KeyBasedAuthenticationNotPermitted, ACCOUNT, TokenCredential",
        "SomethingNew, OTHER, text"
    })
    @DisplayName("RETRY-3: a 403 says by its code why the caller is not let in")
    void forbidden(String code, Reason reason, String advice) {
        assertThat(refused(403, code))
                .isInstanceOfSatisfying(AuthenticationException.class, e -> assertThat(e.reason())
                        .isEqualTo(reason))
                .hasMessageContaining(advice);
    }

    @Test
    @DisplayName("RETRY-3: a 403 about the verb is no failure of the credential")
    void rootBlob() {
        assertThat(refused(403, "OperationNotAllowedOnRootBlob"))
                .isInstanceOf(BadRequestException.class)
                .hasMessageContaining("delete the blob by its name");
    }

    @ParameterizedTest
    @CsvSource({
        "TableBeingDeleted, true",
        "QueueBeingDeleted, true",
        "ContainerBeingDeleted, true",
        "EntityAlreadyExists, false"
    })
    @DisplayName("RETRY-3: a 409 of what is being deleted is told from one of what exists")
    void conflict(String code, boolean deleted) {
        assertThat(refused(409, code))
                .isInstanceOfSatisfying(ConflictException.class, e -> assertThat(e.isBeingDeleted())
                        .isEqualTo(deleted));
    }

    @ParameterizedTest
    @CsvSource({
        "TableNotFound, true",
        "QueueNotFound, true",
        "ContainerNotFound, true",
        "ResourceNotFound, false",
        "BlobNotFound, false"
    })
    @DisplayName("RETRY-3: a missing table, queue or container is told from what is missing in it")
    void missing(String code, boolean container) {
        assertThat(refused(404, code))
                .isInstanceOfSatisfying(NotFoundException.class, e -> assertThat(e.isContainerMissing())
                        .isEqualTo(container));
    }

    @Test
    @DisplayName("MAP-3: keys and page tokens from outside are refused by types of their own")
    void arguments() {
        assertThatExceptionOfType(InvalidKeyException.class).isThrownBy(() -> KeyRules.check("row key", "a/b"));
        assertThatExceptionOfType(InvalidKeyException.class)
                .isThrownBy(() -> KeyFormat.of().number("year", 4).parse("x"));
        assertThatExceptionOfType(InvalidPageTokenException.class)
                .isThrownBy(() -> PageToken.continuation("people", "no token"));
    }
}

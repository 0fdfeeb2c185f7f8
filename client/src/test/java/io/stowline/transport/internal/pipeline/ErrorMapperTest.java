package io.stowline.transport.internal.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.error.AuthenticationException;
import io.stowline.error.BadRequestException;
import io.stowline.error.ConflictException;
import io.stowline.error.FailureDetails;
import io.stowline.error.NotFoundException;
import io.stowline.error.PreconditionFailedException;
import io.stowline.error.ProtocolException;
import io.stowline.error.ServerErrorException;
import io.stowline.error.StorageException;
import io.stowline.error.ThrottledException;
import io.stowline.transport.internal.error.ServiceError;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class ErrorMapperTest {

    private static final FailureDetails FACTS =
            new FailureDetails("insert", "t(p, r)", 0, null, "text", 1, 0, Duration.ZERO, null, "id", null, "ending");

    static Stream<Arguments> meanings() {
        return Stream.of(
                Arguments.of(401, null, AuthenticationException.class),
                Arguments.of(403, "AuthorizationFailure", AuthenticationException.class),
                Arguments.of(404, "ResourceNotFound", NotFoundException.class),
                Arguments.of(409, "EntityAlreadyExists", ConflictException.class),
                Arguments.of(412, "UpdateConditionNotSatisfied", PreconditionFailedException.class),
                Arguments.of(304, "ConditionNotMet", PreconditionFailedException.class),
                Arguments.of(429, null, ThrottledException.class),
                Arguments.of(503, "ServerBusy", ThrottledException.class),
                Arguments.of(500, "OperationTimedOut", ThrottledException.class),
                Arguments.of(500, "InternalError", ServerErrorException.class),
                Arguments.of(408, null, ServerErrorException.class),
                Arguments.of(502, null, ServerErrorException.class),
                Arguments.of(504, null, ServerErrorException.class),
                Arguments.of(400, "InvalidInput", BadRequestException.class),
                Arguments.of(413, "RequestBodyTooLarge", BadRequestException.class),
                Arguments.of(501, "NotImplemented", BadRequestException.class),
                Arguments.of(505, null, BadRequestException.class),
                Arguments.of(520, null, ServerErrorException.class),
                Arguments.of(103, null, ProtocolException.class),
                Arguments.of(302, null, ProtocolException.class),
                Arguments.of(999, null, ProtocolException.class));
    }

    @ParameterizedTest
    @MethodSource("meanings")
    void namesTheMeaning(int status, String code, Class<? extends StorageException> type) {
        StorageException exception =
                ErrorMapper.of(new ServiceError(status, code, "", -1, null, null, null, null), FACTS);

        assertThat(exception).isExactlyInstanceOf(type);
        assertThat(exception.failure()).isSameAs(FACTS);
    }
}

package io.stowline.error.internal;

import static org.assertj.core.api.Assertions.assertThat;

import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StatusMeaningTest {

    @ParameterizedTest
    @DisplayName("RETRY-3: a row with the code comes first, then that of the status, then that of its class")
    @CsvSource({
        "0, , FOREIGN",
        "42, , FOREIGN",
        "103, , FOREIGN",
        "200, , FOREIGN",
        "304, ConditionNotMet, UNCHANGED",
        "307, , REDIRECTED",
        "400, Md5Mismatch, DAMAGED",
        "400, TooManyProperties, OVERFULL",
        "400, OutOfRangeInput, INVALID_ENTITY",
        "400, SomethingNew, REFUSED",
        "400, OperationTimedOut, REFUSED",
        "400, , REFUSED",
        "401, NoAuthenticationInformation, UNAUTHORIZED",
        "403, AuthenticationFailed, WRONG_SIGNATURE",
        "403, AccountIsDisabled, FORBIDDEN",
        "404, TableNotFound, TABLE_MISSING",
        "404, BlobNotFound, MISSING",
        "408, , REQUEST_TIMEOUT",
        "409, ContainerBeingDeleted, CONTAINER_BEING_DELETED",
        "409, SomethingNew, CONFLICT",
        "412, , CONDITION_FAILED",
        "412, ConditionNotMet, ENTITY_CHANGED",
        "413, RequestBodyTooLarge, BODY_TOO_LONG",
        "416, InvalidRange, REFUSED",
        "429, , TOO_MANY_REQUESTS",
        "500, OperationTimedOut, TIMED_OUT",
        "500, InternalError, FAULT",
        "503, ServerBusy, BUSY",
        "503, , UNAVAILABLE",
        "505, , HTTP_VERSION_REFUSED",
        "507, , FAULT",
        "600, , FOREIGN"
    })
    void findsTheRow(int status, String code, StatusMeaning row) {
        assertThat(StatusMeaning.of(status, code)).isEqualTo(row);
    }

    @Property
    @Label("RETRY-3: an unknown code changes nothing of what the status means")
    void unknownCode(@ForAll @IntRange(max = 999) int status) {
        assertThat(StatusMeaning.of(status, "SomethingNew")).isEqualTo(StatusMeaning.of(status, null));
    }

    @ParameterizedTest
    @DisplayName("the cause of 408, 429 and 5xx is the service, and of no other status")
    @CsvSource({
        "408, true",
        "429, true",
        "500, true",
        "501, true",
        "503, true",
        "505, true",
        "599, true",
        "404, false",
        "409, false",
        "304, false",
        "0, false"
    })
    void ofService(int status, boolean ofService) {
        assertThat(StatusMeaning.of(status, null).ofService()).isEqualTo(ofService);
    }
}

package io.stowline.table.internal.write;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.transport.internal.error.ServiceError;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class BatchErrorAnalyzerTest {

    private static ServiceError error(int status, String code, int index) {
        return new ServiceError(status, code, "text", index, null, null, null, null);
    }

    @ParameterizedTest
    @DisplayName("BATCH-5: codes that one operation alone can cause")
    @CsvSource({
        "409, EntityAlreadyExists",
        "404, ResourceNotFound",
        "404, EntityNotFound",
        "412, UpdateConditionNotSatisfied",
        "412, ConditionNotMet",
        "400, EntityTooLarge",
        "400, InvalidInput",
        "400, InvalidValueType",
        "400, KeyValueTooLarge",
        "400, OutOfRangeInput",
        "400, PropertiesNeedValue",
        "400, PropertyNameInvalid",
        "400, PropertyNameTooLong",
        "400, PropertyValueTooLarge",
        "400, TooManyProperties",
        "400, DuplicatePropertiesSpecified"
    })
    void namesTheCulprit(int status, String code) {
        assertThat(BatchErrorAnalyzer.names(error(status, code, 1), 3)).isTrue();
        assertThat(BatchErrorAnalyzer.dooms(error(status, code, 1))).isFalse();
    }

    @ParameterizedTest
    @DisplayName("BATCH-5: every other code concerns the whole batch")
    @CsvSource({
        "503, ServerBusy",
        "500, InternalError",
        "500, OperationTimedOut",
        "400, InvalidDuplicateRow",
        "400, CommandsInBatchActOnDifferentPartitions",
        "413, RequestBodyTooLarge",
        "404, TableNotFound",
        "403, AuthorizationFailure",
        "409, TableBeingDeleted",
        "400, "
    })
    void namesNobody(int status, String code) {
        assertThat(BatchErrorAnalyzer.names(error(status, code, 1), 3)).isFalse();
    }

    @ParameterizedTest
    @DisplayName("BATCH-5: an index outside the batch names nobody, and a batch of one has no neighbours")
    @CsvSource({"-1, 3", "3, 3", "99, 3", "0, 1"})
    void indexMustFit(int index, int size) {
        assertThat(BatchErrorAnalyzer.names(error(409, "EntityAlreadyExists", index), size))
                .isFalse();
    }

    @ParameterizedTest
    @DisplayName("BATCH-5: without the table or the right to it nothing more can succeed")
    @CsvSource({
        "404, TableNotFound",
        "409, TableBeingDeleted",
        "403, AccountIsDisabled",
        "403, ",
        "401, ",
        "403, AuthenticationFailed"
    })
    void dooms(int status, String code) {
        assertThat(BatchErrorAnalyzer.dooms(error(status, code, -1))).isTrue();
    }

    @ParameterizedTest
    @DisplayName("BATCH-3: fewer operations help against too many bytes and too little time, and nothing else")
    @CsvSource({
        "413, RequestBodyTooLarge, true",
        "413, , true",
        "500, OperationTimedOut, true",
        "500, InternalError, false",
        "503, ServerBusy, false",
        "400, OperationTimedOut, false"
    })
    void tooMuch(int status, String code, boolean tooMuch) {
        assertThat(BatchErrorAnalyzer.tooMuch(error(status, code, -1))).isEqualTo(tooMuch);
    }

    @ParameterizedTest
    @ValueSource(ints = {400, 404, 409, 412, 413, 429, 500, 503})
    void otherStatusesDoNotDoom(int status) {
        assertThat(BatchErrorAnalyzer.dooms(error(status, null, -1))).isFalse();
    }

    @ParameterizedTest
    @DisplayName("BATCH-5: a transaction blames an operation for what only that operation can cause")
    @CsvSource({
        "409, EntityAlreadyExists, 1, 3, true",
        "400, SomethingNew, 0, 3, true",
        "412, UpdateConditionNotSatisfied, -1, 1, true",
        "409, EntityAlreadyExists, -1, 3, false",
        "409, EntityAlreadyExists, 3, 3, false",
        "503, ServerBusy, 0, 3, false",
        "500, InternalError, 0, 1, false",
        "408, , 0, 1, false",
        "413, RequestBodyTooLarge, -1, 1, false",
        "429, , 0, 1, false",
        "403, AuthorizationFailure, 0, 1, false",
        "404, TableNotFound, 0, 3, false"
    })
    void blames(int status, String code, int index, int size, boolean blamed) {
        assertThat(BatchErrorAnalyzer.blames(error(status, code, index), size)).isEqualTo(blamed);
    }

    @Test
    void firstAndLastAreInTheBatch() {
        assertThat(BatchErrorAnalyzer.names(error(409, "EntityAlreadyExists", 0), 2))
                .isTrue();
        assertThat(BatchErrorAnalyzer.names(error(409, "EntityAlreadyExists", 1), 2))
                .isTrue();
    }
}

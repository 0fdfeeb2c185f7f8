package io.stowline.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.azure.core.http.policy.FixedDelayOptions;
import com.azure.core.http.policy.RetryOptions;
import com.azure.core.util.Context;
import com.azure.data.tables.TableClient;
import com.azure.data.tables.TableClientBuilder;
import com.azure.data.tables.models.TableEntity;
import com.azure.data.tables.models.TableEntityUpdateMode;
import io.stowline.Stowline;
import io.stowline.retry.Backoff;
import io.stowline.table.Entity;
import io.stowline.table.Table;
import io.stowline.testkit.memory.MemoryStorage;
import io.stowline.testkit.stress.StressFailure;
import java.time.Clock;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The meaning of real exceptions, of this client and of Microsoft's, for a stress test. */
@DisplayName("T19: a stress test knows refusals and timeouts of both clients by their exceptions")
class StressFailuresTest {

    private final MemoryStorage memory = MemoryStorage.create(Clock.systemUTC());
    private final Stowline storage = Stowline.builder()
            .connectionString(memory.connectionString())
            .httpClient(memory.httpClient())
            .retry(retry -> retry.backoff(Backoff.none()))
            .build();

    @AfterEach
    void close() {
        storage.close();
    }

    @ParameterizedTest
    @CsvSource({
        "503, ServerBusy, THROTTLED",
        "429, TooManyRequests, THROTTLED",
        "500, OperationTimedOut, TIMED_OUT",
        "408, RequestTimeout, TIMED_OUT",
        "400, InvalidInput, OTHER",
        "404, TableNotFound, OTHER",
    })
    void knowsTheExceptionsOfBothClients(int status, String errorCode, StressFailure meaning) {
        Table<Entity> table = storage.table("people");
        table.create();
        TableClient theirs = new TableClientBuilder()
                .connectionString(memory.connectionString())
                .httpClient(memory.httpClient())
                .retryOptions(new RetryOptions(new FixedDelayOptions(0, Duration.ofMillis(1))))
                .tableName("people")
                .buildClient();
        for (int i = 0; i < 10; i++) {
            memory.refuseNext("PUT", "/people", status, errorCode);
        }

        Throwable ours = catchThrowable(() ->
                table.insertOrReplace(Entity.builder("p", "503").set("a", 1).build()));
        Throwable other = catchThrowable(() -> theirs.upsertEntityWithResponse(
                new TableEntity("p", "503"), TableEntityUpdateMode.REPLACE, null, Context.NONE));

        assertThat(StressFailure.of(ours)).as(() -> String.valueOf(ours)).isEqualTo(meaning);
        assertThat(StressFailure.of(other)).as(() -> String.valueOf(other)).isEqualTo(meaning);
    }
}

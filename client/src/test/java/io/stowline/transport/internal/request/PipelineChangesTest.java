package io.stowline.transport.internal.request;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.core.http.HttpMethod;
import io.stowline.retry.RetrySettings;
import io.stowline.transport.internal.account.Bench;
import io.stowline.transport.internal.pipeline.Exchange;
import io.stowline.transport.internal.request.ResponseParser.ParseResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import reactor.core.Disposable;

class PipelineChangesTest {

    private static final String URL = Bench.ROOT + "/people(PartitionKey='p',RowKey='r')";

    private final List<String> changed = new ArrayList<>();
    private final List<Duration> ahead = new ArrayList<>();
    private final Bench bench = new Bench(this::ended);

    private final ChangedResources.AddressCache kept = new ChangedResources.AddressCache() {
        @Override
        public void changed(String address) {
            changed.add(address);
        }

        @Override
        public void allChanged(String beginning) {
            changed.add(beginning + "*");
        }
    };

    private void ended(Exchange<?> exchange) {
        ahead.add(exchange.timeUntilSettled(bench.timer()));
        exchange.request().changes().invalidate(kept);
    }

    private Disposable write(int retries) {
        Request request = Request.of("update", "people(p, r)", OperationType.WRITE, HttpMethod.PUT, URL)
                .body("application/json", new byte[] {'{', '}'})
                .changing(reported -> reported.changed(URL));
        RetrySettings settings = RetrySettings.builder().retries(retries).build();
        return bench.pipeline()
                .send(Exchange.of(request, settings, response -> new ParseResult.Value<>(response.text())))
                .subscribe(value -> {}, error -> {});
    }

    @Test
    @DisplayName("CACHE-4: what an acknowledged write has changed is told, and nothing is to come")
    void anAcknowledgedWriteIsOver() {
        bench.wire().responds(204, "");
        write(0);

        assertThat(changed).containsExactly(URL);
        assertThat(ahead).containsExactly(Duration.ZERO);
    }

    @Test
    @DisplayName("CACHE-4: an ambiguous write may change it until its horizon")
    void aLostResponseMayComeTrueLater() {
        bench.wire().staysSilent();
        write(0);
        bench.pass(Duration.ofMinutes(5));

        assertThat(changed).containsExactly(URL);
        assertThat(ahead).singleElement().satisfies(time -> assertThat(time).isPositive());
    }

    @Test
    @DisplayName("CACHE-4: a write given up in flight may change it until its horizon")
    void aWriteThatIsGivenUpMayComeTrueLater() {
        bench.wire().staysSilentAfterItsLastByte();
        Disposable write = write(0);
        write.dispose();

        assertThat(changed).containsExactly(URL);
        assertThat(ahead).singleElement().satisfies(time -> assertThat(time).isPositive());
    }

    @ParameterizedTest
    @DisplayName("CACHE-4: what the write of an SDK client changes is told by its address")
    @CsvSource({
        "http://a/c/b, http://a/c/b",
        "http://a/c/b?comp=block&blockid=x, http://a/c/b",
        "http://a/c/x%2Fy+z%20%25.t?comp=blocklist, http://a/c/x/y+z %.t",
        "http://a/c?restype=container, http://a/c/*",
        "http://a/c?comp=metadata&restype=container&timeout=3, http://a/c/*",
    })
    void addressesTellWhatSdkClientsChange(String url, String reported) {
        ChangedResources.of(url).invalidate(kept);

        assertThat(changed).containsExactly(reported);
    }
}

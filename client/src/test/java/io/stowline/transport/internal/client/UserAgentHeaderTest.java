package io.stowline.transport.internal.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.azure.core.http.HttpClient;
import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpRequest;
import io.stowline.Stowline;
import java.net.ConnectException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;

class UserAgentHeaderTest {

    private final List<HttpRequest> sent = new CopyOnWriteArrayList<>();
    private final HttpClient own = request -> {
        sent.add(request);
        return Mono.error(new ConnectException("no network in this test"));
    };

    private Stowline.Builder builder() {
        return Stowline.builder()
                .httpClient(own)
                .retry(retry -> retry.retries(0))
                .connectionString("DefaultEndpointsProtocol=https;AccountName=acct;AccountKey=a2V5");
    }

    private List<String> agents(Stowline.Builder builder) {
        try (Stowline storage = builder.build()) {
            storage.reactive().listTables().onErrorComplete().block();
            storage.reactive().queue("orders").exists().onErrorComplete().block();
            storage.reactive().container("photos").exists().onErrorComplete().block();
            storage.queue("orders").unwrap().getProperties().onErrorComplete().block();
        }
        return sent.stream()
                .map(request -> request.getHeaders().getValue(HttpHeaderName.USER_AGENT))
                .toList();
    }

    @Test
    void allRequestsNameTheLibrary() {
        assertThat(agents(builder())).hasSize(4).allMatch(agent -> agent.matches("stowline/\\S+ \\(Java .+; .+\\)"));
    }

    @Test
    void allRequestsNameTheApplicationFirst() {
        assertThat(agents(builder().applicationId("myapp/1.2")))
                .hasSize(4)
                .allMatch(agent -> agent.matches("myapp/1\\.2 stowline/\\S+ \\(Java .+; .+\\)"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "My_App-1.2/x", "123456789012345678901234"})
    void takesIdsThatTheServiceTakes(String id) {
        assertThat(agents(builder().applicationId(id))).allMatch(agent -> agent.startsWith(id + " stowline/"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "1234567890123456789012345", "my app", "app\r\nHost: x", "äpp", "a;b"})
    void refusesOthersByLengthAndLimit(String id) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder().applicationId(id))
                .withMessageContaining("applicationId is 1 to 24 letters")
                .withMessageContaining("not the " + id.length() + " characters");
    }
}

package io.stowline.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.azure.core.credential.AccessToken;
import com.azure.core.credential.AzureNamedKeyCredential;
import com.azure.core.credential.AzureSasCredential;
import com.azure.core.credential.TokenCredential;
import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpHeaders;
import io.stowline.Stowline;
import io.stowline.transport.internal.http.response.BufferedResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

/** Each refusal of {@code sign()} against the table of the guide on signatures. */
class SignatureRefusalsTest {

    private static final String KEY = "c3Rvd2xpbmUtdGVzdC1rZXk=";
    private static final TokenCredential TOKENS = request -> Mono.just(
            new AccessToken("token", OffsetDateTime.now(ZoneOffset.UTC).plusDays(1)));

    private final List<Stowline> clients = new ArrayList<>();

    @AfterEach
    void close() {
        clients.forEach(Stowline::close);
    }

    private Stowline.Builder builder(int status, String body) {
        return Stowline.builder()
                .blobEndpoint("https://acct.blob.core.windows.net")
                .queueEndpoint("https://acct.queue.core.windows.net")
                .tableEndpoint("https://acct.table.core.windows.net")
                .httpClient(request -> Mono.just(new BufferedResponse(
                        request,
                        status,
                        new HttpHeaders().set(HttpHeaderName.fromString("x-ms-request-id"), "6ca9"),
                        body.getBytes(StandardCharsets.UTF_8))));
    }

    private Stowline opened(Stowline.Builder builder) {
        Stowline client = builder.build();
        clients.add(client);
        return client;
    }

    private Stowline byKey() {
        return opened(builder(500, "").credential(new AzureNamedKeyCredential("acct", KEY)));
    }

    private Stowline byToken(int status, String body) {
        return opened(builder(status, body).credential(TOKENS));
    }

    private static String shortKey() {
        return "<UserDelegationKey><SignedOid>o</SignedOid><SignedTid>t</SignedTid>"
                + "<SignedStart>2024-02-29T12:00:00Z</SignedStart><SignedExpiry>2024-03-01T12:30:00Z</SignedExpiry>"
                + "<SignedService>b</SignedService><SignedVersion>2022-11-02</SignedVersion><Value>" + KEY
                + "</Value></UserDelegationKey>";
    }

    private List<Runnable> refused() {
        Stowline key = byKey();
        Stowline token = byToken(200, shortKey());
        Stowline bySas = opened(builder(500, "").credential(new AzureSasCredential("sv=2022-11-02&sig=abc")));
        Instant now = Instant.now();
        return List.of(
                () -> key.queue("orders").sas().sign(),
                () -> key.sas().canRead().sign(),
                () -> key.queue("orders")
                        .sas()
                        .canSend()
                        .until(now.minusSeconds(60))
                        .sign(),
                () -> key.queue("orders")
                        .sas()
                        .canSend()
                        .startingAt(now.plusSeconds(7_200))
                        .sign(),
                () -> key.queue("orders").sas().validFor(Duration.ZERO),
                () -> key.queue("orders").sas().canSend().until(Instant.MAX).sign(),
                () -> key.container("photos").sas().servedWithContentType("a\nb"),
                () -> key.container("photos").sas("a\nb").canRead().sign(),
                () -> key.queue("orders").sas().onlyFrom("::1"),
                () -> key.queue("orders").sas().onlyFrom("10.0.0.2", "10.0.0.1"),
                () -> key.table("people").sas().partitions("b", "a"),
                () -> key.queue("orders").sas().byPolicy(""),
                () -> key.container("photos").sas().encryptedBy("a b"),
                () -> token.queue("orders").sas().byPolicy("senders").sign(),
                () -> token.queue("orders")
                        .sas()
                        .canSend()
                        .validFor(Duration.ofDays(8))
                        .sign(),
                () -> token.container("photos").sas().canRead().sign(),
                () -> token.sas().blobs().objects().canRead().sign(),
                () -> bySas.queue("orders").sas().canSend().sign(),
                () -> byToken(403, "").container("photos").sas().canRead().sign());
    }

    /** Returns the rows of the table below a heading: beginnings of messages, and the type of the exception. */
    private static List<List<String>> rows() throws IOException {
        Path root = Path.of("").toAbsolutePath();
        while (!Files.exists(root.resolve("docs/signature-refusals.md"))) {
            root = root.getParent();
        }
        String guide = Files.readString(root.resolve("docs/signature-refusals.md"));
        String section = guide.substring(guide.indexOf("## What `sign()` refuses"));
        return section.substring(0, section.indexOf("\n## ", 3))
                .lines()
                .filter(line -> line.startsWith("| ") && !line.startsWith("| message"))
                .map(line -> line.split("\\|", -1)[1].trim())
                .map(cell -> cell.contains("(`")
                        ? List.of(cell.replaceAll(" \\(`.*", ""), cell.replaceAll(".*\\(`(\\w+)`\\)", "$1"))
                        : List.of(cell, "IllegalArgumentException"))
                .toList();
    }

    private static boolean describes(List<String> row, Throwable error) {
        return row.get(1).equals(error.getClass().getSimpleName())
                && List.of(row.get(0).split(", ")).stream()
                        .anyMatch(begin -> String.valueOf(error.getMessage()).startsWith(begin));
    }

    @Test
    @DisplayName("ACCESS-2: the guide has each refusal of sign(), with its exception")
    void refusalsAreInTheGuide() throws IOException {
        List<List<String>> rows = rows();
        List<Throwable> errors =
                refused().stream().map(call -> catchThrowable(call::run)).toList();

        assertThat(errors).allSatisfy(error -> assertThat(rows).anyMatch(row -> describes(row, error)));
        assertThat(rows).hasSize(18).allSatisfy(row -> assertThat(errors).anyMatch(error -> describes(row, error)));
    }
}

package io.stowline.transport.internal.netty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.core.credential.AzureNamedKeyCredential;
import io.stowline.Stowline;
import io.stowline.error.OutcomeUnknownException;
import io.stowline.table.Entity;
import io.stowline.table.EntityWriteResult;
import io.stowline.table.Table;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A server that says something before it answers. */
@Timeout(60)
class InterimResponsesTest {

    /** Answers each write by 204 and an ETag that counts the writes, after these words. */
    private static final class Talkative implements AutoCloseable {

        private final ServerSocket listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        private final AtomicInteger writes = new AtomicInteger();
        private final String before;

        Talkative(String before) throws IOException {
            this.before = before;
            start(() -> {
                while (true) {
                    Socket client = listening.accept();
                    start(() -> answer(client));
                }
            });
        }

        private interface Work {
            void run() throws IOException;
        }

        private static void start(Work work) {
            Thread thread = new Thread(
                    () -> {
                        try {
                            work.run();
                        } catch (IOException over) {
                            // The test is over, or the client has hung up.
                        }
                    },
                    "talkative");
            thread.setDaemon(true);
            thread.start();
        }

        private void answer(Socket client) throws IOException {
            try (client) {
                InputStream in = new BufferedInputStream(client.getInputStream());
                OutputStream out = client.getOutputStream();
                while (skipRequest(in)) {
                    out.write(before.getBytes(StandardCharsets.ISO_8859_1));
                    out.flush();
                    String answer = "HTTP/1.1 204 No Content\r\nETag: W/\"" + writes.incrementAndGet() + "\"\r\n\r\n";
                    out.write(answer.getBytes(StandardCharsets.ISO_8859_1));
                    out.flush();
                }
            }
        }

        private static boolean skipRequest(InputStream in) throws IOException {
            int length = 0;
            for (String line = line(in); !line.isEmpty(); line = line(in)) {
                if (line.toLowerCase(java.util.Locale.ROOT).startsWith("content-length:")) {
                    length = Integer.parseInt(line.substring(15).trim());
                }
            }
            return in.readNBytes(length).length == length;
        }

        private static String line(InputStream in) throws IOException {
            StringBuilder line = new StringBuilder();
            for (int next = in.read(); next != '\n'; next = in.read()) {
                if (next < 0) {
                    throw new IOException("the client has hung up");
                }
                line.append((char) next);
            }
            return line.toString().trim();
        }

        Stowline client() {
            return Stowline.builder()
                    .tableEndpoint("http://127.0.0.1:" + listening.getLocalPort() + "/acct")
                    .credential(new AzureNamedKeyCredential("acct", "a2V5"))
                    .retry(retry -> retry.retries(0))
                    .build();
        }

        @Override
        public void close() throws IOException {
            listening.close();
        }
    }

    private static Entity entity(String row) {
        return Entity.builder("p", row).set("v", 1).build();
    }

    @ParameterizedTest
    @DisplayName(
            "OUTCOME-0: what a server says before its answer is not taken for the answer, and each write hears its own")
    @ValueSource(
            strings = {
                "HTTP/1.1 103 Early Hints\r\nLink: </style.css>\r\n\r\n",
                "HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 102 Processing\r\n\r\n",
                "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\n\r\n",
                "HTTP/1.1 199 Own\r\nContent-Length: 0\r\n\r\n"
            })
    void answersAreNotMixedUp(String before) throws IOException {
        try (Talkative server = new Talkative(before);
                Stowline storage = server.client()) {
            Table<Entity> people = storage.table("people");

            for (int write = 1; write <= 5; write++) {
                EntityWriteResult written = people.insert(entity("r" + write));
                assertThat(written.etag()).isEqualTo("W/\"" + write + "\"");
            }
        }
    }

    @Test
    @DisplayName(
            "OUTCOME-0: a server that turns to another protocol has not answered, and its connection is not used again")
    void otherProtocol() throws IOException {
        String turn = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: other\r\nConnection: Upgrade\r\n\r\n";
        try (Talkative server = new Talkative(turn);
                Stowline storage = server.client()) {
            Table<Entity> people = storage.table("people");

            for (int write = 1; write <= 3; write++) {
                Entity entity = entity("r" + write);
                assertThatThrownBy(() -> people.insertOrReplace(entity)).isInstanceOf(OutcomeUnknownException.class);
            }
        }
    }
}

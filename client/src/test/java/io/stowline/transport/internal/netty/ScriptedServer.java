package io.stowline.transport.internal.netty;

import com.azure.core.credential.AzureNamedKeyCredential;
import io.stowline.Stowline;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/** A server on a plain socket that writes whatever bytes a test gives it for a request. */
final class ScriptedServer implements AutoCloseable {

    /** At the end of an answer: the connection ends with it. */
    static final String HANG_UP = "\u0004";

    final AtomicInteger connections = new AtomicInteger();
    final AtomicInteger requests = new AtomicInteger();
    private final ServerSocket listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final Function<Received, String> answers;

    /** A request: how many came before it, and its client request id. */
    record Received(int number, String id) {}

    private interface Work {
        void run() throws IOException;
    }

    ScriptedServer(Function<Received, String> answers) throws IOException {
        this.answers = answers;
        start(() -> {
            while (true) {
                Socket client = listening.accept();
                connections.incrementAndGet();
                start(() -> answer(client));
            }
        });
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
                "scripted-server");
        thread.setDaemon(true);
        thread.start();
    }

    private void answer(Socket client) throws IOException {
        try (client) {
            InputStream in = new BufferedInputStream(client.getInputStream());
            OutputStream out = client.getOutputStream();
            while (true) {
                Received received = receive(in);
                String answer = answers.apply(received);
                boolean last = answer.endsWith(HANG_UP);
                out.write(answer.substring(0, answer.length() - (last ? 1 : 0)).getBytes(StandardCharsets.ISO_8859_1));
                out.flush();
                if (last) {
                    return;
                }
            }
        }
    }

    private Received receive(InputStream in) throws IOException {
        int length = 0;
        String id = "";
        for (String line = line(in); !line.isEmpty(); line = line(in)) {
            String lower = line.toLowerCase(Locale.ROOT);
            if (lower.startsWith("content-length:")) {
                length = Integer.parseInt(line.substring(15).trim());
            } else if (lower.startsWith("x-ms-client-request-id:")) {
                id = line.substring(23).trim();
            }
        }
        in.readNBytes(length);
        return new Received(requests.getAndIncrement(), id);
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

    int port() {
        return listening.getLocalPort();
    }

    /** A client of this server with so many retries. */
    Stowline client(int retries) {
        return builder(retries)
                .tableEndpoint("http://127.0.0.1:" + listening.getLocalPort() + "/acct")
                .build();
    }

    /** The settings of a client of no server yet. */
    static Stowline.Builder builder(int retries) {
        return Stowline.builder()
                .credential(new AzureNamedKeyCredential("acct", "a2V5"))
                .retry(retry -> retry.retries(retries));
    }

    @Override
    public void close() throws IOException {
        listening.close();
    }
}

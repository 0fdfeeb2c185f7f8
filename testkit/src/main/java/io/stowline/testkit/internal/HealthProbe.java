package io.stowline.testkit.internal;

import io.stowline.testkit.internal.wire.HttpDate;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.Socket;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.util.Base64;
import java.util.Map;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * A probe of a running emulator: each port must accept, and an entity group transaction must get no server error.
 *
 * <p>An operation that Azurite 3.35.0 fails on inside a batch leaves its transaction open, and from then on every batch
 * on any table gets a 500. The transaction sent here deletes from a table that does not exist: a sound emulator refuses
 * it inside a 202, and nothing is changed either way.
 */
public final class HealthProbe {

    private static final byte[] LOOPBACK = {127, 0, 0, 1};
    private static final int CONNECT_MILLIS = 2_000;
    private static final int RESPONSE_MILLIS = 10_000;

    private final String account;
    private final String key;

    /**
     * Makes a probe.
     *
     * @param account an account that the emulator knows
     * @param key its Base64 key
     */
    public HealthProbe(String account, String key) {
        this.account = account;
        this.key = key;
    }

    /**
     * Sends the probe.
     *
     * @param ports the ports to probe
     * @return whether the emulator works
     */
    public boolean isHealthy(ServicePorts ports) {
        try {
            connect(ports.blob()).close();
            connect(ports.queue()).close();
            return transacts(ports.table());
        } catch (IOException e) {
            return false;
        }
    }

    private static Socket connect(int port) throws IOException {
        Socket socket = new Socket(Proxy.NO_PROXY);
        try {
            socket.connect(new InetSocketAddress(InetAddress.getByAddress(LOOPBACK), port), CONNECT_MILLIS);
            return socket;
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    private boolean transacts(int port) throws IOException {
        String path = "/" + account + "/$batch";
        byte[] body = body(port).getBytes(StandardCharsets.US_ASCII);
        String date = HttpDate.format(Instant.now());
        HttpURLConnection connection =
                (HttpURLConnection) new URL("http://127.0.0.1:" + port + path).openConnection(Proxy.NO_PROXY);
        try {
            connection.setConnectTimeout(CONNECT_MILLIS);
            connection.setReadTimeout(RESPONSE_MILLIS);
            connection.setRequestMethod("POST");
            connection.setDoOutput(true);
            connection.setFixedLengthStreamingMode(body.length);
            Map.of(
                            "Connection", "close",
                            "x-ms-date", date,
                            "x-ms-version", "2020-12-06",
                            "DataServiceVersion", "3.0",
                            "Authorization", "SharedKeyLite " + account + ":" + sign(date + "\n/" + account + path),
                            "Content-Type", "multipart/mixed; boundary=batch_probe")
                    .forEach(connection::setRequestProperty);
            connection.getOutputStream().write(body);
            int status = connection.getResponseCode();
            return status > 0 && status < 500;
        } finally {
            connection.disconnect();
        }
    }

    private String body(int port) {
        return String.join(
                "\r\n",
                "--batch_probe",
                "Content-Type: multipart/mixed; boundary=changeset_probe",
                "",
                "--changeset_probe",
                "Content-Type: application/http",
                "Content-Transfer-Encoding: binary",
                "",
                "DELETE http://127.0.0.1:" + port + "/" + account
                        + "/stowlinehealthprobe(PartitionKey='p',RowKey='r') HTTP/1.1",
                "If-Match: *",
                "Accept: application/json;odata=nometadata",
                "",
                "",
                "--changeset_probe--",
                "--batch_probe--",
                "");
    }

    private String sign(String text) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(Base64.getDecoder().decode(key), "HmacSHA256"));
            return Base64.getEncoder().encodeToString(mac.doFinal(text.getBytes(StandardCharsets.UTF_8)));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java platform has HmacSHA256", e);
        }
    }
}

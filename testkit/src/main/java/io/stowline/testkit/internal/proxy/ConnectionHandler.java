package io.stowline.testkit.internal.proxy;

import io.stowline.testkit.RecordedExchange.Ending;
import io.stowline.testkit.SentRequest;
import io.stowline.testkit.StubResponse;
import io.stowline.testkit.internal.proxy.record.RecordedEntry;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A handler that serves the requests of one connection, one after the other. */
final class ConnectionHandler {

    private static final Logger LOG = LoggerFactory.getLogger(ConnectionHandler.class);
    private static final byte[] NOT_HTTP = "this is not HTTP\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

    private final int number;
    private final ProxyListener door;
    private final ClientConnection line;
    private final UpstreamConnection upstream;
    private final ProxySettings proxy;

    ConnectionHandler(int number, ProxyListener door, ClientConnection line, ProxySettings proxy) {
        this.number = number;
        this.door = door;
        this.line = line;
        this.proxy = proxy;
        this.upstream = new UpstreamConnection(door.upstream(), proxy.maxBody());
    }

    /** Ends both connections at once, from any thread. */
    void abort() {
        line.reset();
        upstream.close();
    }

    void run() throws InterruptedException {
        proxy.recorder().connected(door.service());
        try (upstream) {
            serveAll();
            line.close();
        } catch (IOException e) {
            LOG.debug("connection {} ended", number, e);
        } finally {
            line.reset();
        }
    }

    private void serveAll() throws IOException, InterruptedException {
        boolean more = true;
        while (more) {
            ClientConnection.Read read = line.read(door.service());
            more = read != null && serve(read);
        }
    }

    private boolean serve(ClientConnection.Read read) throws IOException, InterruptedException {
        SentRequest request = read.request();
        RecordedEntry entry = proxy.recorder().arrived(number, request, line.newlyReceived());
        ProxyExchange passage =
                new ProxyExchange(request, new Route(proxy.stages(), upstream::response), line::isGone, proxy.waiter());
        FaultOutcome outcome = FaultOutcome.broken(Ending.RESET, "the proxy was closed");
        byte[] bytes = {};
        try {
            outcome = read.refusal() == null ? pass(passage) : FaultOutcome.broken(Ending.FAILED, read.refusal());
            bytes = bytes(request, outcome);
        } finally {
            proxy.recorder().ended(entry, passage.fate(outcome), bytes.length);
        }
        return deliver(bytes, outcome, entry);
    }

    private FaultOutcome pass(ProxyExchange passage) throws InterruptedException {
        try {
            return passage.go(proxy.rules());
        } catch (RuntimeException e) {
            LOG.warn("{} could not be passed on", passage.request(), e);
            return FaultOutcome.broken(Ending.FAILED, e.toString());
        }
    }

    private static byte[] bytes(SentRequest request, FaultOutcome outcome) {
        StubResponse response = outcome.response();
        if (response != null) {
            return ResponseSerializer.of(request.method(), response, outcome.delivery());
        }
        return outcome.ending() == Ending.MALFORMED ? NOT_HTTP : new byte[0];
    }

    private boolean deliver(byte[] bytes, FaultOutcome outcome, RecordedEntry entry)
            throws IOException, InterruptedException {
        if (outcome.ending() == Ending.REFUSED) {
            door.shut();
        }
        if (!outcome.isSent()) {
            line.reset();
            return false;
        }
        try {
            new BandwidthLimiter(proxy.waiter()).write(bytes, outcome.delivery().bytesPerSecond(), line.out());
        } catch (IOException e) {
            proxy.recorder().undelivered(entry);
            throw e;
        }
        if (outcome.delivery().isCut()) {
            line.reset();
        }
        StubResponse response = outcome.response();
        return response != null && line.staysOpenAfter(response);
    }
}

package io.stowline.advisor.internal.page;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.WebSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/** A headless Chromium of this machine, driven by its DevTools protocol. Used by one thread. */
final class Chromium implements AutoCloseable {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String LISTENING = "DevTools listening on ws://";
    private static final long TIMEOUT_SECONDS = 90;

    private final Process process;
    private final WebSocket page;
    private final BlockingQueue<JsonNode> messages;
    private final List<String> console = new ArrayList<>();
    private int commands;

    private Chromium(Process process, WebSocket page, BlockingQueue<JsonNode> messages) {
        this.process = process;
        this.page = page;
        this.messages = messages;
    }

    /**
     * Starts it with the program of the search path.
     *
     * @param profile an empty folder
     * @throws IllegalStateException if there is none, naming what to install
     */
    static Chromium start(Path profile) throws IOException, InterruptedException {
        // Without a sandbox, which root cannot have; /dev/shm is small in containers.
        Process process = new ProcessBuilder(
                        program("chromium", "chromium-browser", "google-chrome"),
                        "--headless=new",
                        "--no-sandbox",
                        "--disable-gpu",
                        "--disable-dev-shm-usage",
                        "--no-first-run",
                        "--remote-debugging-port=0",
                        "--user-data-dir=" + profile,
                        "about:blank")
                .redirectErrorStream(true)
                .start();
        HttpClient http = HttpClient.newHttpClient();
        HttpRequest pages = HttpRequest.newBuilder(URI.create("http://" + address(process) + "/json/list"))
                .build();
        String socket = JSON.readTree(http.send(pages, BodyHandlers.ofString()).body())
                .findValuesAsText("webSocketDebuggerUrl")
                .get(0);
        BlockingQueue<JsonNode> messages = new LinkedBlockingQueue<>();
        WebSocket page = http.newWebSocketBuilder()
                .buildAsync(URI.create(socket), new MessageListener(messages))
                .join();
        Chromium browser = new Chromium(process, page, messages);
        browser.send("Page.enable", Map.of());
        browser.send("Log.enable", Map.of());
        browser.send("Runtime.enable", Map.of());
        return browser;
    }

    private static String program(String... names) {
        return Arrays.stream(names)
                .flatMap(name -> Arrays.stream(Objects.requireNonNullElse(System.getenv("PATH"), "")
                                .split(File.pathSeparator))
                        .map(folder -> new File(folder, name)))
                .filter(File::canExecute)
                .findFirst()
                .map(File::getPath)
                .orElseThrow(() -> new IllegalStateException("the tests of the tag \"browser\" need one of "
                        + List.of(names) + " in the search path; on Debian and Ubuntu: apt-get install chromium"));
    }

    /** Returns host and port of the protocol, and keeps reading the output, which would block the browser. */
    private static String address(Process process) throws IOException {
        BufferedReader output = process.inputReader(StandardCharsets.UTF_8);
        List<String> lines = new ArrayList<>();
        for (String line = output.readLine(); line != null; line = output.readLine()) {
            if (line.startsWith(LISTENING)) {
                Thread reader = new Thread(() -> output.lines().forEach(ignored -> {}), "chromium-output");
                reader.setDaemon(true);
                reader.start();
                return line.substring(LISTENING.length()).split("/")[0];
            }
            lines.add(line);
        }
        throw new IllegalStateException("the browser has ended: " + lines);
    }

    /** Makes the window of a phone or a desktop, with a light or dark theme. */
    void show(int width, int height, boolean dark) throws IOException, InterruptedException {
        send(
                "Emulation.setDeviceMetricsOverride",
                Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", width < 500));
        media("screen", dark);
    }

    /** Shows the page as on a screen or on paper. */
    void media(String media, boolean dark) throws IOException, InterruptedException {
        send(
                "Emulation.setEmulatedMedia",
                Map.of(
                        "media",
                        media,
                        "features",
                        List.of(Map.of("name", "prefers-color-scheme", "value", dark ? "dark" : "light"))));
    }

    /** Opens a file, and returns when it has been loaded. */
    void open(Path file) throws IOException, InterruptedException {
        send("Page.navigate", Map.of("url", file.toUri().toString()));
        await(message -> message.path("method").asText().equals("Page.loadEventFired"));
    }

    /** Returns the value of an expression, after its promise. */
    JsonNode evaluate(String expression) throws IOException, InterruptedException {
        JsonNode result =
                send("Runtime.evaluate", Map.of("expression", expression, "awaitPromise", true, "returnByValue", true));
        if (result.has("exceptionDetails")) {
            throw new AssertionError(result.get("exceptionDetails").toString());
        }
        return result.at("/result/value");
    }

    /** Stores a picture of the whole page. */
    void picture(Path file) throws IOException, InterruptedException {
        JsonNode size = send("Page.getLayoutMetrics", Map.of()).get("cssContentSize");
        JsonNode result = send(
                "Page.captureScreenshot",
                Map.of(
                        "captureBeyondViewport",
                        true,
                        "clip",
                        Map.of(
                                "x",
                                0,
                                "y",
                                0,
                                "width",
                                size.get("width"),
                                "height",
                                Math.min(size.get("height").asInt(), 12_000),
                                "scale",
                                1)));
        Files.createDirectories(file.getParent());
        Files.write(file, Base64.getDecoder().decode(result.get("data").asText()));
    }

    /** Stores the page as it is printed. */
    void print(Path file) throws IOException, InterruptedException {
        Files.write(
                file,
                Base64.getDecoder()
                        .decode(send("Page.printToPDF", Map.of()).get("data").asText()));
    }

    /** Returns what the page has written to its console since the last call: violations of its policy, too. */
    List<String> console() throws IOException, InterruptedException {
        evaluate("0");
        List<String> lines = List.copyOf(console);
        console.clear();
        return lines;
    }

    private JsonNode send(String method, Map<String, ?> parameters) throws IOException, InterruptedException {
        int id = ++commands;
        page.sendText(JSON.writeValueAsString(Map.of("id", id, "method", method, "params", parameters)), true)
                .join();
        JsonNode message = await(received -> received.path("id").asInt() == id);
        if (message.has("error")) {
            throw new IOException(method + ": " + message.get("error"));
        }
        return message.get("result");
    }

    private JsonNode await(Predicate<JsonNode> wanted) throws IOException, InterruptedException {
        while (true) {
            JsonNode message = messages.poll(TIMEOUT_SECONDS, TimeUnit.SECONDS);
            if (message == null) {
                throw new IOException("the browser has sent nothing for " + TIMEOUT_SECONDS + " s");
            }
            String method = message.path("method").asText();
            if (method.equals("Log.entryAdded") || method.equals("Runtime.exceptionThrown")) {
                console.add(message.get("params").toString());
            }
            if (wanted.test(message)) {
                return message;
            }
        }
    }

    @Override
    public void close() {
        page.abort();
        process.destroy();
        try {
            process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        process.destroyForcibly();
    }

    /** A listener that puts whole messages into a queue. */
    private static final class MessageListener implements WebSocket.Listener {

        private final BlockingQueue<JsonNode> messages;
        private final StringBuilder text = new StringBuilder();

        MessageListener(BlockingQueue<JsonNode> messages) {
            this.messages = messages;
        }

        @Override
        public CompletionStage<?> onText(WebSocket socket, CharSequence data, boolean last) {
            text.append(data);
            if (last) {
                try {
                    messages.add(JSON.readTree(text.toString()));
                } catch (IOException e) {
                    throw new IllegalStateException(e);
                }
                text.setLength(0);
            }
            return WebSocket.Listener.super.onText(socket, data, last);
        }
    }
}

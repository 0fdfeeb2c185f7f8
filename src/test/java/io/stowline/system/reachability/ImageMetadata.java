package io.stowline.system.reachability;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/** The metadata for native images in all jars and folders of the class path, in the present format and in the older one. */
final class ImageMetadata {

    private static final ObjectMapper JSON = new ObjectMapper();

    private final Map<String, List<JsonNode>> types = new HashMap<>();
    private final List<String> proxies = new ArrayList<>();
    private final List<Pattern> resources = new ArrayList<>();

    private ImageMetadata() {}

    /** Returns what an image of this class path would be built with. */
    static ImageMetadata ofClassPath(String classPath) {
        ImageMetadata all = new ImageMetadata();
        for (String entry : classPath.split(File.pathSeparator)) {
            Path path = Path.of(entry);
            if (Files.isDirectory(path)) {
                all.addFolder(path);
            } else if (Files.isRegularFile(path)) {
                try (FileSystem jar = FileSystems.newFileSystem(path)) {
                    all.addFolder(jar.getPath("/"));
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }
        }
        return all;
    }

    private void addFolder(Path root) {
        Path folder = root.resolve("META-INF/native-image");
        if (!Files.isDirectory(folder)) {
            return;
        }
        try (Stream<Path> files = Files.walk(folder)) {
            files.filter(file -> file.toString().endsWith(".json")).forEach(this::addFile);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void addFile(Path file) {
        JsonNode content = read(file);
        switch (String.valueOf(file.getFileName())) {
            case "reachability-metadata.json" -> {
                content.path("reflection").forEach(this::addType);
                content.path("resources")
                        .forEach(resource ->
                                resources.add(glob(resource.path("glob").asText())));
            }
            case "reflect-config.json" -> content.forEach(this::addType);
            case "proxy-config.json" ->
                content.forEach(
                        proxy -> proxies.add(interfaces(proxy.has("interfaces") ? proxy.get("interfaces") : proxy)));
            case "resource-config.json" -> {
                JsonNode found = content.path("resources");
                (found.has("includes") ? found.get("includes") : found)
                        .forEach(resource -> resources.add(
                                Pattern.compile(resource.path("pattern").asText())));
            }
            default -> {}
        }
    }

    static JsonNode read(Path file) {
        try (InputStream stream = Files.newInputStream(file)) {
            return JSON.readTree(stream);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void addType(JsonNode entry) {
        JsonNode type = entry.has("type") ? entry.get("type") : entry.path("name");
        if (type.has("proxy")) {
            proxies.add(interfaces(type.get("proxy")));
        } else {
            types.computeIfAbsent(type.asText(), name -> new ArrayList<>()).add(entry);
        }
    }

    private static String interfaces(JsonNode names) {
        return String.join(
                ",",
                StreamSupport.stream(names.spliterator(), false)
                        .map(JsonNode::asText)
                        .toList());
    }

    private static Pattern glob(String glob) {
        return Pattern.compile(Pattern.quote(glob).replace("**", "\\E.*\\Q").replace("*", "\\E[^/]*\\Q"));
    }

    /** Returns whether a line of {@link ReflectionTrace} finds in an image what it has found on the JVM. */
    boolean covers(String kind, String name, String member) {
        return switch (kind) {
            case "proxy" -> proxies.contains(name);
            case "resource" ->
                resources.stream().anyMatch(resource -> resource.matcher(name).matches());
            case "method" -> has(name, member.equals("<init>") ? "Constructors" : "Methods", "methods", member);
            case "field" -> has(name, "Fields", "fields", member);
            // A type that is registered shows all its members, also those that may not be invoked.
            default -> types.containsKey(name);
        };
    }

    private boolean has(String type, String all, String listed, String member) {
        return types.getOrDefault(type, List.of()).stream()
                .anyMatch(entry -> entry.path("allDeclared" + all).asBoolean()
                        || entry.path("allPublic" + all).asBoolean()
                        || entry.path("queryAllPublic" + all).asBoolean()
                        || entry.path("queryAllDeclared" + all).asBoolean()
                        || Stream.of(listed, "queriedMethods")
                                .flatMap(key ->
                                        StreamSupport.stream(entry.path(key).spliterator(), false))
                                .anyMatch(one -> one.path("name").asText().equals(member)));
    }
}

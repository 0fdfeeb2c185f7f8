package io.stowline.spring.boot.resource;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.springframework.boot.env.PropertySourceLoader;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.PropertySource;
import org.springframework.core.io.Resource;
import org.springframework.core.io.support.SpringFactoriesLoader;

/** The documents of a version of a blob with configuration. Immutable and thread-safe. */
record ConfigDocuments(List<EnumerablePropertySource<?>> documents) {

    private static final String ACTIVATION = "spring.config.";

    private static List<PropertySourceLoader> loaders() {
        return SpringFactoriesLoader.loadFactories(PropertySourceLoader.class, ConfigDocuments.class.getClassLoader());
    }

    private static boolean reads(PropertySourceLoader loader, ResourceLocation location) {
        String name = location.name().toLowerCase(Locale.ROOT);
        return Arrays.stream(loader.getFileExtensions()).anyMatch(extension -> name.endsWith("." + extension));
    }

    /** Refuses a location whose name has the end of no format. */
    static void checkExtension(ResourceLocation location) {
        if (loaders().stream().noneMatch(loader -> reads(loader, location))) {
            Set<String> known = new TreeSet<>();
            loaders().forEach(loader -> known.addAll(List.of(loader.getFileExtensions())));
            throw new IllegalArgumentException(
                    "the import '" + location + "' has no format by its name: it must end with" + " one of " + known
                            + ", and a folder cannot be imported");
        }
    }

    /**
     * Reads the documents.
     *
     * @throws FileNotFoundException if there is no such blob
     */
    static ConfigDocuments read(ResourceLocation location, Resource content) throws IOException {
        PropertySourceLoader reader = loaders().stream()
                .filter(loader -> reads(loader, location))
                .findFirst()
                .orElseThrow();
        List<EnumerablePropertySource<?>> documents = new ArrayList<>();
        for (PropertySource<?> document : reader.load(name(location), content)) {
            documents.add((EnumerablePropertySource<?>) document);
        }
        return documents.isEmpty() ? none(location) : new ConfigDocuments(List.copyOf(documents));
    }

    /** Returns one document without values, which keeps the place of those to come. */
    static ConfigDocuments none(ResourceLocation location) {
        return new ConfigDocuments(List.of(new MapPropertySource(name(location), Map.of())));
    }

    private static String name(ResourceLocation location) {
        return "Config resource 'blob [" + location + "]'";
    }

    /** Returns whether these may take the place of others while the application runs: the same documents are active. */
    boolean mayReplace(ConfigDocuments before) {
        return activation().equals(before.activation());
    }

    private List<Map<String, String>> activation() {
        return documents.stream()
                .map(document -> {
                    Map<String, String> values = new TreeMap<>();
                    for (String key : document.getPropertyNames()) {
                        if (key.startsWith(ACTIVATION)) {
                            values.put(key, String.valueOf(document.getProperty(key)));
                        }
                    }
                    return values;
                })
                .toList();
    }

    /** Returns the keys whose values differ in one of the documents. */
    Set<String> changedFrom(ConfigDocuments before) {
        Set<String> changed = new TreeSet<>();
        for (int i = 0; i < documents.size(); i++) {
            EnumerablePropertySource<?> now = documents.get(i);
            EnumerablePropertySource<?> then = before.documents.get(i);
            Set<String> keys = new HashSet<>(List.of(now.getPropertyNames()));
            keys.addAll(List.of(then.getPropertyNames()));
            keys.removeIf(key -> Objects.equals(now.getProperty(key), then.getProperty(key)));
            changed.addAll(keys);
        }
        return changed;
    }
}

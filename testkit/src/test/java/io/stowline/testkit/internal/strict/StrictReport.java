package io.stowline.testkit.internal.strict;

import io.stowline.testkit.StorageService;
import io.stowline.testkit.StrictRule;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The responses of the plain emulator to requests that the rules refuse, as a table in Markdown. */
final class StrictReport {

    private final Map<StrictRule, StrictVerdict> responses = new TreeMap<>();

    synchronized void add(StrictRule rule, StrictVerdict emulator) {
        responses.put(rule, emulator);
    }

    synchronized String text() {
        return "| rule | refused | what the service says | plain Azurite 3.35.0 | source |\n|---|---|---|---|---|\n"
                + responses.entrySet().stream()
                        .map(response -> row(response.getKey(), response.getValue()))
                        .collect(Collectors.joining());
    }

    void write(Path file) throws IOException {
        Files.createDirectories(file.getParent());
        Files.writeString(file, text());
    }

    private static String row(StrictRule rule, StrictVerdict emulator) {
        return "| `" + rule.name() + "` | " + services(rule) + ": " + rule.refuses() + " | " + rule.status() + " "
                + rule.code() + (rule.isCodeKnown() ? "" : " *") + " | " + said(rule, emulator) + " | " + rule.source()
                + " |\n";
    }

    private static String services(StrictRule rule) {
        return rule.services().size() == StorageService.values().length
                ? "all"
                : rule.services().stream()
                        .map(service -> service.name().toLowerCase(Locale.ROOT))
                        .sorted()
                        .collect(Collectors.joining(", "));
    }

    private static String said(StrictRule rule, StrictVerdict emulator) {
        if (emulator.equals(StrictVerdict.of(rule))) {
            return "the same";
        }
        if (emulator.status() < 300) {
            return "accepts, " + emulator.status();
        }
        return emulator.status() + " " + (emulator.code().isEmpty() ? "without a code" : emulator.code());
    }
}

package io.stowline.testkit.internal;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A reader of the ports that the emulator took from the three lines in which it prints them. Used by one thread. */
final class PortLines {

    private static final Pattern LISTENING = Pattern.compile(
            "Azurite (Blob|Queue|Table) service is successfully listening at http://[^:/]+:(\\d{1,5})/?");

    private final Map<String, Integer> ports = new HashMap<>();

    /** Takes one line of output, and returns the ports once those of all three services are known. */
    Optional<ServicePorts> accept(String line) {
        Matcher listening = LISTENING.matcher(line.strip());
        if (!listening.matches()) {
            return Optional.empty();
        }
        ports.put(listening.group(1), Integer.valueOf(listening.group(2)));
        Integer blob = ports.get("Blob");
        Integer queue = ports.get("Queue");
        Integer table = ports.get("Table");
        return blob == null || queue == null || table == null
                ? Optional.empty()
                : Optional.of(new ServicePorts(blob, queue, table));
    }
}

package io.stowline.testkit;

import java.net.InetSocketAddress;
import java.net.URI;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/** The endpoints that a connection string spells out. */
final class StorageEndpoints {

    private static final Map<StorageService, Integer> DEVELOPMENT_PORTS = new EnumMap<>(
            Map.of(StorageService.BLOB, 10_000, StorageService.QUEUE, 10_001, StorageService.TABLE, 10_002));

    private final Map<String, String> settings = new LinkedHashMap<>();

    /** Takes a connection string apart; the short form for an emulator counts as spelled out. */
    StorageEndpoints(String connectionString) {
        for (String setting : connectionString.split(";", -1)) {
            int equals = setting.indexOf('=');
            if (equals > 0) {
                settings.put(setting.substring(0, equals).strip(), setting.substring(equals + 1));
            }
        }
        if (Boolean.parseBoolean(settings.remove("UseDevelopmentStorage"))) {
            settings.put("DefaultEndpointsProtocol", "http");
            settings.put("AccountName", Azurite.WELL_KNOWN_ACCOUNT);
            settings.put("AccountKey", Azurite.WELL_KNOWN_KEY);
            DEVELOPMENT_PORTS.forEach((service, port) ->
                    settings.put(key(service), "http://127.0.0.1:" + port + "/" + Azurite.WELL_KNOWN_ACCOUNT));
        }
    }

    /** Returns the endpoints by service, all of plain HTTP. */
    Map<StorageService, URI> http() {
        Map<StorageService, URI> endpoints = new EnumMap<>(StorageService.class);
        for (StorageService service : StorageService.values()) {
            String endpoint = settings.get(key(service));
            if (endpoint != null) {
                endpoints.put(service, URI.create(endpoint));
            }
        }
        if (endpoints.isEmpty()
                || !endpoints.values().stream().allMatch(endpoint -> "http".equals(endpoint.getScheme()))) {
            throw new IllegalStateException("a fault proxy stands in front of plain http endpoints that the connection"
                    + " string spells out, and not of "
                    + (endpoints.isEmpty() ? "none" : endpoints.values())
                    + "; unless " + TestStorage.VARIABLE + " is set, it stands in front of Azurite");
        }
        return endpoints;
    }

    private static String key(StorageService service) {
        return switch (service) {
            case BLOB -> "BlobEndpoint";
            case QUEUE -> "QueueEndpoint";
            case TABLE -> "TableEndpoint";
        };
    }

    static InetSocketAddress address(URI endpoint) {
        return new InetSocketAddress(endpoint.getHost(), endpoint.getPort() < 0 ? 80 : endpoint.getPort());
    }

    /** Returns the connection string with each endpoint at another port of this machine. */
    String at(Map<StorageService, Integer> ports) {
        Map<String, String> moved = new LinkedHashMap<>(settings);
        http().forEach((service, endpoint) -> {
            Integer port = ports.get(service);
            if (port != null) {
                moved.put(key(service), moved(endpoint, port).toString());
            }
        });
        return moved.entrySet().stream()
                .map(setting -> setting.getKey() + "=" + setting.getValue() + ";")
                .collect(Collectors.joining());
    }

    static URI moved(URI endpoint, int port) {
        return URI.create("http://127.0.0.1:" + port + endpoint.getRawPath());
    }
}

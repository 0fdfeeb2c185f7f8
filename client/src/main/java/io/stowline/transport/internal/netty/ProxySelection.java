package io.stowline.transport.internal.netty;

import com.azure.core.http.ProxyOptions;
import com.azure.core.util.Configuration;
import com.azure.core.util.ConfigurationBuilder;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Which proxy our HTTP client goes through: the one that is given, else the one that azure-core finds in its configuration, else that
 * of {@code HTTPS_PROXY} or {@code HTTP_PROXY} with {@code NO_PROXY}. azure-core takes these variables only with {@code
 * java.net.useSystemProxies}; here they always count, but never for this machine itself, where emulators are.
 */
public final class ProxySelection {

    private static final String PERMISSION = "java.net.useSystemProxies";
    private static final String THIS_MACHINE = "localhost,127.*,::1,[::1],0:0:0:0:0:0:0:1";

    private ProxySelection() {}

    public static @Nullable ProxyOptions of(HttpSettings settings) {
        if (settings.proxy() != null) {
            return settings.proxy();
        }
        Configuration given =
                settings.configuration() == null ? Configuration.getGlobalConfiguration() : settings.configuration();
        ProxyOptions found = ProxyOptions.fromConfiguration(given, true);
        return found != null ? found : ofEnvironment(given);
    }

    private static @Nullable ProxyOptions ofEnvironment(Configuration given) {
        Map<String, String> variables = new HashMap<>();
        for (String name : new String[] {Configuration.PROPERTY_HTTPS_PROXY, Configuration.PROPERTY_HTTP_PROXY}) {
            String value = given.get(name);
            if (value != null) {
                variables.put(name, value);
            }
        }
        if (variables.isEmpty()) {
            return null;
        }
        String direct = given.get(Configuration.PROPERTY_NO_PROXY);
        variables.put(
                Configuration.PROPERTY_NO_PROXY,
                direct == null || direct.isBlank() ? THIS_MACHINE : direct.replaceAll("\\s", "") + "," + THIS_MACHINE);
        Configuration permitted = new ConfigurationBuilder(
                        path -> Map.of(), path -> Map.of(PERMISSION, "true"), path -> variables)
                .build();
        return ProxyOptions.fromConfiguration(permitted, true);
    }
}

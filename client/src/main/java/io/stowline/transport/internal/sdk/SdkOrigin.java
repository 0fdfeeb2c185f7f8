package io.stowline.transport.internal.sdk;

import com.azure.core.http.HttpPipelineCallContext;
import io.stowline.transport.internal.account.Endpoint.StandardHost;
import io.stowline.transport.internal.account.Service;
import java.net.URL;

/**
 * The account and service of a request whose client only the application knows.
 *
 * @param account the account's name; of a host that does not show it the host, or what begins the path at an emulator
 */
record SdkOrigin(String account, Service service) {

    private static final String CALLER = "caller-method";

    static SdkOrigin of(HttpPipelineCallContext context) {
        URL url = context.getHttpRequest().getUrl();
        StandardHost standard = StandardHost.of(url.getHost());
        Service named = standard == null ? null : standard.service();
        return standard != null && named != null
                ? new SdkOrigin(standard.account(), named)
                : new SdkOrigin(account(url), service(context));
    }

    private static String account(URL url) {
        String host = url.getHost();
        boolean emulator = host.indexOf('.') < 0 || Character.isDigit(host.charAt(host.length() - 1));
        String[] steps = url.getPath().split("/", 3);
        return emulator && steps.length > 1 ? steps[1] : host;
    }

    /** The SDK names the method of its proxy with its package. */
    private static Service service(HttpPipelineCallContext context) {
        String caller = context.getData(CALLER).orElse("").toString();
        if (caller.contains(".queue.")) {
            return Service.QUEUE;
        }
        return caller.contains(".tables.") ? Service.TABLE : Service.BLOB;
    }
}

package io.stowline.transport.internal;

import com.azure.core.http.HttpHeaders;
import com.azure.core.http.HttpMethod;
import com.azure.core.http.HttpRequest;
import com.azure.core.util.BinaryData;
import java.net.MalformedURLException;
import java.net.URL;
import org.jspecify.annotations.Nullable;

/** A request of our own, whose address becomes a URL only for those who ask for one: nobody does on the way to our own HTTP client. */
final class OwnRequest extends HttpRequest {

    private String address;
    private @Nullable URL url;

    OwnRequest(HttpMethod method, String address, HttpHeaders headers) {
        super(method, (URL) null, headers);
        this.address = address;
    }

    /** The address of a request, of ours or not. */
    static String address(HttpRequest request) {
        return request instanceof OwnRequest own
                ? own.address
                : request.getUrl().toString();
    }

    void setAddress(String next) {
        address = next;
        url = null;
    }

    @Override
    public URL getUrl() {
        URL known = url;
        if (known == null) {
            try {
                known = new URL(address);
            } catch (MalformedURLException e) {
                throw new IllegalArgumentException("not a URL: " + address, e);
            }
            url = known;
        }
        return known;
    }

    @Override
    public HttpRequest setUrl(URL next) {
        setAddress(next.toString());
        return this;
    }

    @Override
    public HttpRequest setUrl(String next) {
        setAddress(next);
        return this;
    }

    @Override
    public HttpRequest copy() {
        OwnRequest copy = new OwnRequest(getHttpMethod(), address, new HttpHeaders(getHeaders()));
        BinaryData body = getBodyAsBinaryData();
        return body == null ? copy : copy.setBody(body);
    }
}

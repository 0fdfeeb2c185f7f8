package io.stowline.testkit;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** The few signed table requests that the tests of an emulator need. */
final class RawTables {

    private static final String DATE = "Sat, 21 Nov 2026 00:00:00 GMT";
    private static final HttpClient HTTP =
            HttpClient.newBuilder().proxy(HttpClient.Builder.NO_PROXY).build();

    private final URI endpoint;
    private final String account;
    private final String key;

    RawTables(Azurite azurite) {
        this(azurite.tableEndpoint(), azurite.accountName(), azurite.accountKey());
    }

    RawTables(URI endpoint, String account, String key) {
        this.endpoint = endpoint;
        this.account = account;
        this.key = key;
    }

    int create(String table) throws Exception {
        return send("POST", "/Tables", "application/json", "{\"TableName\":\"" + table + "\"}")
                .statusCode();
    }

    String list() throws Exception {
        return send("GET", "/Tables", "application/json", "").body();
    }

    /** A good insert followed by one of a type that does not exist: what poisons Azurite 3.35.0. */
    int poison(String table) throws Exception {
        create(table);
        String body = "--batch_t\r\nContent-Type: multipart/mixed; boundary=changeset_t\r\n\r\n"
                + insert(table, "{\"PartitionKey\":\"p\",\"RowKey\":\"1\"}")
                + insert(
                        table, "{\"PartitionKey\":\"p\",\"RowKey\":\"2\",\"x\":\"1\",\"x@odata.type\":\"Edm.Nothing\"}")
                + "--changeset_t--\r\n--batch_t--\r\n";
        return send("POST", "/$batch", "multipart/mixed; boundary=batch_t", body)
                .statusCode();
    }

    private String insert(String table, String entity) {
        return "--changeset_t\r\nContent-Type: application/http\r\nContent-Transfer-Encoding: binary\r\n\r\nPOST "
                + endpoint
                + "/"
                + table + " HTTP/1.1\r\nContent-Type: application/json\r\nAccept: application/json;odata=nometadata\r\n"
                + "Prefer: return-no-content\r\nDataServiceVersion: 3.0\r\n\r\n" + entity + "\r\n";
    }

    private HttpResponse<String> send(String method, String path, String contentType, String body)
            throws IOException, InterruptedException, GeneralSecurityException {
        URI uri = URI.create(endpoint + path);
        HttpRequest request = HttpRequest.newBuilder(uri)
                .method(method, HttpRequest.BodyPublishers.ofString(body))
                .timeout(Duration.ofSeconds(20))
                .header("x-ms-date", DATE)
                .header("x-ms-version", "2020-12-06")
                .header("DataServiceVersion", "3.0")
                .header("Accept", "application/json;odata=nometadata")
                .header("Content-Type", contentType)
                .header(
                        "Authorization",
                        "SharedKeyLite " + account + ":" + sign(DATE + "\n/" + account + uri.getPath()))
                .build();
        return HTTP.send(request, HttpResponse.BodyHandlers.ofString());
    }

    private String sign(String text) throws GeneralSecurityException {
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(Base64.getDecoder().decode(key), "HmacSHA256"));
        return Base64.getEncoder().encodeToString(mac.doFinal(text.getBytes(StandardCharsets.UTF_8)));
    }
}

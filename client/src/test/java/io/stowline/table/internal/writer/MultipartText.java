package io.stowline.table.internal.writer;

/** Responses to entity group transactions as the service writes them. */
public final class MultipartText {

    private MultipartText() {}

    /** Returns the whole response. */
    public static String of(String... parts) {
        StringBuilder text = new StringBuilder(
                "--batchresponse_1\r\nContent-Type: multipart/mixed; boundary=changesetresponse_1\r\n\r\n");
        for (String part : parts) {
            text.append("--changesetresponse_1\r\n"
                    + "Content-Type: application/http\r\n"
                    + "Content-Transfer-Encoding: binary\r\n\r\n");
            text.append(part).append("\r\n");
        }
        return text.append("--changesetresponse_1--\r\n--batchresponse_1--\r\n").toString();
    }

    public static String part(int status, String body, String... headers) {
        StringBuilder text = new StringBuilder("HTTP/1.1 " + status + " Reason\r\n");
        for (String header : headers) {
            text.append(header).append("\r\n");
        }
        return text.append("\r\n").append(body).append("\r\n").toString();
    }

    public static String etag(String etag) {
        return part(204, "", "Preference-Applied: return-no-content", "ETag: " + etag);
    }

    /** A success whose ETags are numbered from 1. */
    public static String success(int operations) {
        String[] parts = new String[operations];
        for (int i = 0; i < operations; i++) {
            parts[i] = etag("W/\"" + (i + 1) + "\"");
        }
        return of(parts);
    }

    public static String error(String code, String message) {
        return "{\"odata.error\":{\"code\":\"" + code + "\",\"message\":{\"lang\":\"en-US\",\"value\":\"" + message
                + "\\nRequestId:1\\nTime:2\"}}}";
    }

    /** A refusal, which is a single part. */
    public static String failure(int status, String code, String message) {
        return of(part(status, error(code, message), "Content-Type: application/json"));
    }
}

package io.stowline.testkit.memory;

import java.nio.charset.StandardCharsets;

/** An operation that the service refuses. */
final class RefusedOperation extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final int status;
    private final String code;

    RefusedOperation(int status, String code, String message) {
        super(message, null, false, false);
        this.status = status;
        this.code = code;
    }

    /** Returns the refusal of an operation inside a batch. */
    RefusedOperation at(int index) {
        return new RefusedOperation(status, code, index + ":" + getMessage());
    }

    int status() {
        return status;
    }

    MemoryResponse respond(MemoryRequest request) {
        MemoryResponse response = new MemoryResponse(status).header("x-ms-error-code", code);
        boolean table = request.service() == MemoryRequest.MemoryResource.TABLE;
        if (status == 304 || request.method().equals("HEAD")) {
            return response;
        }
        return table
                ? response.body("application/json", bytes(json()))
                : response.body(
                        "application/xml",
                        bytes(MemoryXml.HEAD + "<Error>" + MemoryXml.element("Code", code)
                                + MemoryXml.element("Message", String.valueOf(getMessage())) + "</Error>"));
    }

    private String json() {
        return "{\"odata.error\":{\"code\":" + EntityJson.quoted(code) + ",\"message\":{\"lang\":\"en-US\",\"value\":"
                + EntityJson.quoted(String.valueOf(getMessage())) + "}}}";
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}

package io.stowline.system.recordings;

/** Request as it came over the wire. */
record WireRequest(String method, RequestTarget target, HeaderFields headers, byte[] body) {

    @Override
    public String toString() {
        return method + " " + target.path() + (target.query().isEmpty() ? "" : "?" + target.query());
    }
}

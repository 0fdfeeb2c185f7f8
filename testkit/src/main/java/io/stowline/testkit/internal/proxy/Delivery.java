package io.stowline.testkit.internal.proxy;

/**
 * The manner in which a response is sent.
 *
 * @param bodyBytes how many bytes of the body
 * @param bytesPerSecond how fast
 */
record Delivery(int bodyBytes, long bytesPerSecond) {

    static final Delivery WHOLE = new Delivery(Integer.MAX_VALUE, Long.MAX_VALUE);

    boolean isCut() {
        return bodyBytes < Integer.MAX_VALUE;
    }

    Delivery cutAfter(int bytes) {
        return new Delivery(Math.min(bodyBytes, bytes), bytesPerSecond);
    }

    Delivery paced(long limit) {
        return new Delivery(bodyBytes, Math.min(bytesPerSecond, limit));
    }
}

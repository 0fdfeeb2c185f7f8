package io.stowline.advisor.internal.evidence;

/**
 * A partition, a blob or an account with much of the traffic. Its figures are what is certain: the sketch may have missed a little more.
 *
 * @param name its name in reports
 * @param container the number of its table or container, or -1
 * @param weight its entities or requests in the window
 * @param attempts its attempts
 * @param throttled its attempts that the service refused for load
 * @param peak its entities or requests per second in the busiest part of the window
 * @param beside the sum beside its weight: its bytes, or the entities of transactions beside single writes
 * @param bytesPeak its bytes per second in that part
 */
public record Hitter(
        String name,
        int container,
        long weight,
        long attempts,
        long throttled,
        double peak,
        long beside,
        double bytesPeak) {}

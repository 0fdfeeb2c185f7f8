package io.stowline.testkit.internal.proxy;

import io.stowline.testkit.internal.Stage;
import io.stowline.testkit.internal.proxy.record.Recorder;
import io.stowline.testkit.internal.proxy.record.Waiter;
import java.util.List;

/**
 * The settings that the connections of a proxy share.
 *
 * @param rules the faults
 * @param recorder what records each exchange
 * @param stages the stages before the service, outermost first
 * @param maxBody the most bytes that a body may have
 * @param waiter what holds and delays wait by
 */
public record ProxySettings(Rules rules, Recorder recorder, List<Stage> stages, int maxBody, Waiter waiter) {}

/**
 * Azurite for JUnit and for plain programs, and a proxy that makes storage fail as networks and busy services do.
 *
 * <ul>
 *   <li>{@link io.stowline.testkit.Azurite} is a running emulator; {@link io.stowline.testkit.AzuriteExtension}, or
 *       {@link io.stowline.testkit.AzuriteTest}, gives it to JUnit tests as a {@link io.stowline.testkit.TestStorage}.
 *   <li>{@link io.stowline.testkit.FaultProxy} stands in front of an emulator, or of any server;
 *       {@link io.stowline.testkit.FaultProxyExtension} gives it to JUnit tests. A
 *       {@link io.stowline.testkit.FaultRule} defines what it does to which requests
 *       ({@link io.stowline.testkit.RequestMatch}): scripted responses ({@link io.stowline.testkit.StubResponse}), lost, cut
 *       and garbled ones, resets, delays, and holds that a test releases ({@link io.stowline.testkit.RequestHold}). What came and
 *       how it ended is read back as {@link io.stowline.testkit.RecordedExchange}s.
 *   <li>{@link io.stowline.testkit.stress.StressTest} measures how much of a load a partition takes.
 *   <li>{@link io.stowline.testkit.NpmPackages} installs packages from npm for tests and examples.
 * </ul>
 *
 * <p>Nothing here knows any client library: the test kit serves every client of the three services.
 */
@NullMarked
package io.stowline.testkit;

import org.jspecify.annotations.NullMarked;

/**
 * The advisor: the 54 proven practices, judged by the traffic of a running application. {@link io.stowline.advisor.Advisor} is the entry.
 *
 * <pre>{@code
 * try (Advisor advisor = Advisor.create()) {
 *     Stowline storage = Stowline.builder().connectionString(connectionString).listener(advisor.listener()).build();
 *     // the application works
 *     for (Finding finding : advisor.report().findings()) {
 *         System.out.println(finding);
 *     }
 * }
 * }</pre>
 *
 * <p>A report has one {@link io.stowline.advisor.Finding} for each {@link io.stowline.advisor.Practice}: its severity, its figures with
 * their thresholds and samples, the objects that it concerns, and the call that mends it. A practice that traffic cannot show says why.
 *
 * <p>{@link io.stowline.advisor.AdvisorSettings} change the window and each {@link io.stowline.advisor.Threshold}, and suppress findings by
 * reason and end date. Keys are hashed unless the settings show them.
 *
 * <p>Evidence takes less than a megabyte, whatever the traffic. An advisor has no thread and sends no request.
 */
@NullMarked
package io.stowline.advisor;

import org.jspecify.annotations.NullMarked;

/**
 * The stored access policies of containers, queues and tables. {@link io.stowline.access.internal.policy.PolicyOperations} is the door: the faces of a
 * container, queue or table make it and hand out {@link io.stowline.access.internal.policy.DefaultAccessPolicies} over it. It calls the builders of
 * signatures, which describe a policy, and the pipeline.
 */
@NullMarked
package io.stowline.access.internal.policy;

import org.jspecify.annotations.NullMarked;

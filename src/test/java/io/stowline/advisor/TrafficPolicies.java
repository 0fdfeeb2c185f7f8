package io.stowline.advisor;

import com.azure.core.http.policy.HttpPipelinePolicy;
import io.stowline.advisor.internal.sdk.SdkTrafficPolicy;
import io.stowline.observe.StowlineListener;

/** The policy of an advisor before a listener of a test, which sees what an advisor only counts. */
public final class TrafficPolicies {

    private TrafficPolicies() {}

    public static HttpPipelinePolicy before(StowlineListener listener) {
        return new SdkTrafficPolicy(listener);
    }
}

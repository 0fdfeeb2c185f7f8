package io.stowline.blob.internal.base;

import com.azure.core.http.HttpClient;
import com.azure.core.http.HttpPipeline;
import com.azure.core.http.HttpPipelineBuilder;
import com.azure.core.http.HttpRequest;
import com.azure.core.http.HttpResponse;
import com.azure.core.http.policy.HttpPipelinePolicy;
import com.azure.core.util.BinaryData;
import com.azure.core.util.Context;
import java.util.List;
import java.util.Map;
import reactor.core.publisher.Mono;
import reactor.util.context.ContextView;

/**
 * An HTTP client that sends the SDK's requests through the library's pipeline, with two things that the SDK (12.34)
 * leaves out: its listings drop the Reactor context, in which the operation lies, and its appends send a body that
 * cannot be sent again.
 */
public final class SdkPipelineAdapter implements HttpClient {

    private final HttpPipeline pipeline;

    private SdkPipelineAdapter(HttpPipeline pipeline) {
        this.pipeline = pipeline;
    }

    /** Returns a pipeline with the policies that SDK clients look for before they send anything. */
    static HttpPipeline over(HttpPipeline pipeline, List<HttpPipelinePolicy> before) {
        return new HttpPipelineBuilder()
                .policies(before.toArray(HttpPipelinePolicy[]::new))
                .httpClient(new SdkPipelineAdapter(pipeline))
                .build();
    }

    /** Returns the call, whose request carries this body instead of the stream that the SDK makes of it. */
    public static <T> Mono<T> withBody(BinaryData body, Mono<T> call) {
        return call.contextWrite(known -> known.put(BinaryData.class, body));
    }

    @Override
    public Mono<HttpResponse> send(HttpRequest request) {
        return send(request, Context.NONE);
    }

    @Override
    public Mono<HttpResponse> send(HttpRequest request, Context context) {
        return Mono.deferContextual(known -> {
            BinaryData body = known.getOrDefault(BinaryData.class, null);
            if (body != null) {
                request.setBody(body);
            }
            return pipeline.send(request, joined(context, known));
        });
    }

    private static Context joined(Context context, ContextView known) {
        Context joined = context;
        for (Map.Entry<Object, Object> entry : known.stream().toList()) {
            joined = joined.addData(entry.getKey(), entry.getValue());
        }
        return joined;
    }
}

package io.stowline.spring.boot.web;

import jakarta.servlet.http.HttpServletRequest;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.core.MethodParameter;
import org.springframework.http.HttpHeaders;
import org.springframework.web.bind.support.WebDataBinderFactory;
import org.springframework.web.context.request.NativeWebRequest;
import org.springframework.web.method.support.HandlerMethodArgumentResolver;
import org.springframework.web.method.support.ModelAndViewContainer;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/** A configurer that resolves the arguments {@link IfMatch} and {@link PageParameters} of handler methods. Immutable and thread-safe. */
final class WebArguments implements WebMvcConfigurer {

    private final WebProperties.PageProperties page;

    WebArguments(WebProperties.PageProperties page) {
        this.page = page;
    }

    @Override
    public void addArgumentResolvers(List<HandlerMethodArgumentResolver> resolvers) {
        resolvers.add(new Resolver(IfMatch.class, WebArguments::ifMatch));
        resolvers.add(new Resolver(PageParameters.class, this::pageParameters));
    }

    private static @Nullable IfMatch ifMatch(HttpServletRequest request) {
        List<String> lines = Collections.list(request.getHeaders(HttpHeaders.IF_MATCH));
        return lines.isEmpty() ? null : IfMatch.of(String.join(",", lines));
    }

    private PageParameters pageParameters(HttpServletRequest request) {
        PageAddress address = new PageAddress(request.getRequestURI(), request.getQueryString(), page.tokenParameter());
        String size = single(request, page.sizeParameter());
        return new PageParameters(
                address, single(request, page.tokenParameter()), size == null ? page.defaultSize() : size(size));
    }

    private static @Nullable String single(HttpServletRequest request, String name) {
        String[] values = request.getParameterValues(name);
        if (values == null || (values.length == 1 && values[0].isEmpty())) {
            return null;
        }
        if (values.length > 1) {
            throw ProblemException.invalid(name, String.join(",", values), "one value");
        }
        return values[0];
    }

    private int size(String text) {
        try {
            int size = Integer.parseInt(text);
            if (size >= 1 && size <= page.maxSize()) {
                return size;
            }
        } catch (NumberFormatException e) {
            throw refused(text);
        }
        throw refused(text);
    }

    private ProblemException refused(String size) {
        return ProblemException.invalid(page.sizeParameter(), size, "a number from 1 to " + page.maxSize());
    }

    /**
     * A resolver of arguments of one type.
     *
     * @param type the type
     * @param argument makes the argument of a request; null if the request has none
     */
    private record Resolver(Class<?> type, Function<HttpServletRequest, @Nullable Object> argument)
            implements HandlerMethodArgumentResolver {

        @Override
        public boolean supportsParameter(MethodParameter parameter) {
            return parameter.nestedIfOptional().getNestedParameterType() == type;
        }

        @Override
        public @Nullable Object resolveArgument(
                MethodParameter parameter,
                @Nullable ModelAndViewContainer model,
                NativeWebRequest request,
                @Nullable WebDataBinderFactory binders) {
            HttpServletRequest servletRequest = request.getNativeRequest(HttpServletRequest.class);
            Object resolved = servletRequest == null ? null : argument.apply(servletRequest);
            if (parameter.getParameterType() == Optional.class) {
                return Optional.ofNullable(resolved);
            }
            if (resolved == null && !parameter.isOptional()) {
                throw new ProblemException(ProblemType.VERSION_REQUIRED, ProblemType.VERSION_REQUIRED.detail());
            }
            return resolved;
        }
    }
}
